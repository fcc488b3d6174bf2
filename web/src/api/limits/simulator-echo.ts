// npm run openapi makes this file.
export const simulatorEchoLimits = {
  "text": {
    "minLength": 1,
    "maxLength": 4096
  },
  "phone_number_id": {
    "minLength": 1,
    "maxLength": 32
  },
  "to": {
    "pattern": /^\+[1-9]\d{6,14}$/
  }
} as const;
