import { PasswordInput } from '@mantine/core';
import { ApiFailure } from '../api/client.ts';

interface OwnPasswordProps {
  readonly value: string;
  readonly error: Error | null;
  readonly onChange: (value: string) => void;
}

/** The password again, before something delicate. */
export function OwnPassword({ value, error, onChange }: OwnPasswordProps) {
  const isWrong = error instanceof ApiFailure && 'current_password' in error.fields;
  return (
    <PasswordInput
      label="Your password"
      autoComplete="current-password"
      data-autofocus
      value={value}
      error={isWrong && 'This is not your password.'}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    />
  );
}

/** A failure that no field shows. */
export const elsewhere = (error: Error | null) =>
  error instanceof ApiFailure && Object.keys(error.fields).length > 0 ? null : error;
