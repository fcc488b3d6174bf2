import { PasswordInput } from '@mantine/core';
import { characters } from '../parts/limit-faults.ts';
import { isShortPassword, minLength } from './short-password.ts';

interface NewPasswordProps {
  readonly label: string;
  /** Default: how long it has to be. */
  readonly description?: string | undefined;
  readonly value: string;
  /** What the API says of it. */
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A password that somebody chooses. */
export function NewPassword({
  label,
  description = `At least ${minLength} characters`,
  value,
  error,
  onChange,
}: NewPasswordProps) {
  return (
    <PasswordInput
      label={label}
      description={description}
      autoComplete="new-password"
      value={value}
      error={
        isShortPassword(value)
          ? `At least ${minLength} characters; this has ${characters(value)}.`
          : error
      }
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': `Show the ${label.toLowerCase()}` }}
    />
  );
}
