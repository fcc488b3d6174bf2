// npm run openapi makes this file.
export const resetLinkRequestLimits = {
  "current_password": {
    "minLength": 1,
    "maxLength": 1024
  }
} as const;
