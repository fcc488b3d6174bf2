// npm run openapi makes this file.
export const newDraftLimits = {
  "language": {
    "minLength": 1,
    "maxLength": 20
  },
  "name": {
    "minLength": 1,
    "maxLength": 100
  },
  "per_second": {
    "minimum": 1,
    "maximum": 1000
  },
  "reference": {
    "minLength": 1,
    "maxLength": 100
  },
  "template_name": {
    "minLength": 1,
    "maxLength": 512
  }
} as const;
