// npm run openapi makes this file.
export const dashboardConsentLimits = {
  "evidence": {
    "minLength": 1,
    "maxLength": 500
  }
} as const;
