// npm run openapi makes this file.
export const mappedVariableLimits = {
  "button_index": {
    "minimum": 0,
    "maximum": 9
  },
  "default": {
    "minLength": 1,
    "maxLength": 1024
  },
  "parameter_name": {
    "minLength": 1,
    "maxLength": 512
  },
  "position": {
    "minimum": 1,
    "maximum": 100
  }
} as const;
