// npm run openapi makes this file.
export const consentImportLimits = {
  "items": {
    "maxItems": 1000
  }
} as const;
