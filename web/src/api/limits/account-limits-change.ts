// npm run openapi makes this file.
export const accountLimitsChangeLimits = {
  "daily_limit": {
    "minimum": 1,
    "maximum": 1000000000
  },
  "endpoints": {
    "minimum": 0,
    "maximum": 1000000000
  },
  "keys": {
    "minimum": 0,
    "maximum": 1000000000
  },
  "rate_limit_per_minute": {
    "minimum": 1,
    "maximum": 1000000000
  }
} as const;
