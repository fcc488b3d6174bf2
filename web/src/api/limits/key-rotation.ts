// npm run openapi makes this file.
export const keyRotationLimits = {
  "overlap_seconds": {
    "minimum": 0,
    "maximum": 604800
  }
} as const;
