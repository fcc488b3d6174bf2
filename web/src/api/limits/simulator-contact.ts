// npm run openapi makes this file.
export const simulatorContactLimits = {
  "name": {
    "minLength": 1,
    "maxLength": 1000
  },
  "phone": {
    "pattern": /^\+[1-9]\d{6,14}$/
  }
} as const;
