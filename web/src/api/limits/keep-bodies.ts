// npm run openapi makes this file.
export const keepBodiesLimits = {
  "minutes": {
    "minimum": 1,
    "maximum": 60
  }
} as const;
