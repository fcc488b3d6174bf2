// npm run openapi makes this file.
export const pauseOnLimits = {
  "failure_rate": {
    "minimum": 0,
    "maximum": 1
  }
} as const;
