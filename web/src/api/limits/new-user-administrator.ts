// npm run openapi makes this file.
export const newUserAdministratorLimits = {
  "account_id": {
    "minLength": 1,
    "maxLength": 36
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
