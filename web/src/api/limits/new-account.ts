// npm run openapi makes this file.
export const newAccountLimits = {
  "access_token": {
    "minLength": 1,
    "maxLength": 4096,
    "pattern": /^[\x21-\x7e]{1,4096}$/
  },
  "app_secret": {
    "minLength": 1,
    "maxLength": 4096,
    "pattern": /^[\x21-\x7e]{1,4096}$/
  },
  "business_account_id": {
    "minLength": 1,
    "maxLength": 32,
    "pattern": /^\d{1,32}$/
  },
  "display_phone_number": {
    "pattern": /^(?=(?:\D*\d){7,15}\D*$)\+?[\d ().-]{7,30}$/
  },
  "messages_per_second": {
    "minimum": 1,
    "maximum": 10000
  },
  "name": {
    "minLength": 1,
    "maxLength": 100
  },
  "phone_number_id": {
    "minLength": 1,
    "maxLength": 32,
    "pattern": /^\d{1,32}$/
  }
} as const;
