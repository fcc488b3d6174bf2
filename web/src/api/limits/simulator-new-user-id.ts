// npm run openapi makes this file.
export const simulatorNewUserIdLimits = {
  "phone": {
    "pattern": /^\+[1-9]\d{6,14}$/
  },
  "phone_number_id": {
    "minLength": 1,
    "maxLength": 32
  }
} as const;
