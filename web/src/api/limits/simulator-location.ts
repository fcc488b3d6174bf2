// npm run openapi makes this file.
export const simulatorLocationLimits = {
  "address": {
    "minLength": 1,
    "maxLength": 1000
  },
  "latitude": {
    "minimum": -90,
    "maximum": 90
  },
  "longitude": {
    "minimum": -180,
    "maximum": 180
  },
  "name": {
    "minLength": 1,
    "maxLength": 1000
  }
} as const;
