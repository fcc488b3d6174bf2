// npm run openapi makes this file.
export const registrationLimits = {
  "pin": {
    "minLength": 6,
    "maxLength": 6,
    "pattern": /^\d{6}$/
  }
} as const;
