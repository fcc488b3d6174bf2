// npm run openapi makes this file.
export const keySuspensionLimits = {
  "reason": {
    "minLength": 1,
    "maxLength": 500
  }
} as const;
