// npm run openapi makes this file.
export const newRecipientsLimits = {
  "recipients": {
    "maxItems": 1000
  }
} as const;
