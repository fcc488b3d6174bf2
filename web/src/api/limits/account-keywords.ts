// npm run openapi makes this file.
export const accountKeywordsLimits = {
  "in": {
    "maxItems": 100
  },
  "out": {
    "maxItems": 100
  }
} as const;
