// npm run openapi makes this file.
export const newTemplateMappingLimits = {
  "variables": {
    "propertyNames": {
      "minLength": 1,
      "maxLength": 100,
      "pattern": /^\S(?:[\s\S]*\S)?$/
    }
  }
} as const;
