// npm run openapi makes this file.
export const campaignRetryLimits = {
  "codes": {
    "maxItems": 50,
    "items": {
      "minimum": 0,
      "maximum": 999999
    }
  }
} as const;
