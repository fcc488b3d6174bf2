// npm run openapi makes this file.
export const simulatorReplyLimits = {
  "button_id": {
    "minLength": 1,
    "maxLength": 256
  },
  "reaction": {
    "pattern": /^\S{0,64}$/
  },
  "row_id": {
    "minLength": 1,
    "maxLength": 200
  },
  "text": {
    "minLength": 1,
    "maxLength": 4096
  }
} as const;
