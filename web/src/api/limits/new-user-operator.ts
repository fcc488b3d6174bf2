// npm run openapi makes this file.
export const newUserOperatorLimits = {
  "email": {
    "maxLength": 254,
    "pattern": /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+$/
  },
  "password": {
    "minLength": 12,
    "maxLength": 128
  }
} as const;
