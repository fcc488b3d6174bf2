// npm run openapi makes this file.
export const apiKeyChangeLimits = {
  "allowed_ips": {
    "maxItems": 100
  },
  "daily_limit": {
    "minimum": 1,
    "maximum": 1000000000
  },
  "description": {
    "minLength": 1,
    "maxLength": 500
  },
  "name": {
    "minLength": 1,
    "maxLength": 100
  },
  "permissions": {
    "maxItems": 8
  },
  "rate_limit_per_minute": {
    "minimum": 1,
    "maximum": 1000000000
  },
  "webhook_events": {
    "maxItems": 10
  },
  "webhook_url": {
    "maxLength": 2048,
    "pattern": /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s]+$/
  }
} as const;
