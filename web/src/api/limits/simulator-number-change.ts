// npm run openapi makes this file.
export const simulatorNumberChangeLimits = {
  "phone_number_id": {
    "minLength": 1,
    "maxLength": 32
  }
} as const;
