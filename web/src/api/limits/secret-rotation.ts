// npm run openapi makes this file.
export const secretRotationLimits = {
  "secret": {
    "minLength": 16,
    "maxLength": 128,
    "pattern": /^[\x21-\x7e]{16,128}$/
  }
} as const;
