// npm run openapi makes this file.
export const endpointChangeLimits = {
  "events": {
    "maxItems": 10
  },
  "fields": {
    "maxItems": 50,
    "items": {
      "pattern": /^[a-z_]{1,64}$/
    }
  },
  "max_in_flight": {
    "minimum": 1,
    "maximum": 128
  },
  "message_types": {
    "maxItems": 18
  },
  "name": {
    "minLength": 1,
    "maxLength": 100
  },
  "statuses": {
    "maxItems": 6
  },
  "url": {
    "maxLength": 2048,
    "pattern": /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s]+$/
  },
  "verify_token": {
    "minLength": 1,
    "maxLength": 256,
    "pattern": /^[\x21-\x7e]{1,256}$/
  }
} as const;
