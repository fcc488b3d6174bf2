// npm run openapi makes this file.
export const simulatorReferralLimits = {
  "body": {
    "minLength": 1,
    "maxLength": 4096
  },
  "ctwa_clid": {
    "minLength": 1,
    "maxLength": 1000
  },
  "headline": {
    "minLength": 1,
    "maxLength": 1000
  },
  "source_id": {
    "minLength": 1,
    "maxLength": 256
  },
  "source_url": {
    "minLength": 1,
    "maxLength": 2048
  }
} as const;
