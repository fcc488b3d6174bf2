// npm run openapi makes this file.
export const signInLimits = {
  "email": {
    "maxLength": 254,
    "pattern": /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+$/
  },
  "password": {
    "minLength": 1,
    "maxLength": 1024
  },
  "recovery_code": {
    "minLength": 1,
    "maxLength": 64
  },
  "totp": {
    "minLength": 6,
    "maxLength": 6,
    "pattern": /^\d{6}$/
  }
} as const;
