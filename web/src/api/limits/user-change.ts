// npm run openapi makes this file.
export const userChangeLimits = {
  "current_password": {
    "minLength": 1,
    "maxLength": 1024
  },
  "email": {
    "maxLength": 254,
    "pattern": /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+$/
  },
  "password": {
    "minLength": 12,
    "maxLength": 128
  }
} as const;
