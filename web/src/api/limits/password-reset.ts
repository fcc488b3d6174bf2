// npm run openapi makes this file.
export const passwordResetLimits = {
  "new_password": {
    "minLength": 12,
    "maxLength": 128
  },
  "token": {
    "minLength": 1,
    "maxLength": 64
  }
} as const;
