// npm run openapi makes this file.
export const changePasswordLimits = {
  "current_password": {
    "minLength": 1,
    "maxLength": 1024
  },
  "new_password": {
    "minLength": 12,
    "maxLength": 128
  }
} as const;
