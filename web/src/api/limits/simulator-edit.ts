// npm run openapi makes this file.
export const simulatorEditLimits = {
  "original_message_id": {
    "minLength": 1,
    "maxLength": 512
  },
  "text": {
    "minLength": 1,
    "maxLength": 4096
  }
} as const;
