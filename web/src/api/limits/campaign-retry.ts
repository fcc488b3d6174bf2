// npm run openapi makes this file.
export const campaignRetryLimits = {
  "codes": {
    "maxItems": 50,
    "items": {
      "minimum": 0,
      "maximum": 999999
    }
  },
  "reasons": {
    "maxItems": 50,
    "items": {
      "pattern": /^[a-z][a-z0-9_]{0,49}$/
    }
  }
} as const;
