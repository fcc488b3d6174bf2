// npm run openapi makes this file.
export const simulatorRevokeLimits = {
  "original_message_id": {
    "minLength": 1,
    "maxLength": 512
  }
} as const;
