// npm run openapi makes this file.
export const draftChangeLimits = {
  "name": {
    "minLength": 1,
    "maxLength": 100
  },
  "per_second": {
    "minimum": 1,
    "maximum": 1000
  }
} as const;
