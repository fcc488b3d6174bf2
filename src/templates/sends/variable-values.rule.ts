import { ValidateBy } from 'class-validator';
import { codePoints } from '../../http/validation/rules.js';
import { itemRule } from '../../http/validation/violations.js';

const valueMaxLength = 1_024;

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isTooLong(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length > valueMaxLength && codePoints(value) > valueMaxLength
  );
}

/**
 * An object of variables, each value at most 1,024 characters. What else a value must be depends on
 * the template.
 */
export function IsVariableValues(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isVariableValues',
      constraints: [valueMaxLength],
      validator: {
        validate: (value: unknown) => isMap(value) && !Object.values(value).some(isTooLong),
        defaultMessage: () => 'must be an object: variable name to value',
      },
    },
    {
      context: itemRule((value) => {
        if (!isMap(value)) return [];
        const faults = Object.entries(value).flatMap(([name, text]) =>
          isTooLong(text)
            ? [[name, `must be at most ${valueMaxLength} characters; this has ${codePoints(text)}`]]
            : [],
        );
        return Object.fromEntries(faults) as Record<string, string>;
      }),
    },
  );
}
