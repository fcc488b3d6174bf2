import { PasswordInput } from '@mantine/core';
import { ApiFailure } from '../api/client.ts';

interface OwnPasswordProps {
  readonly value: string;
  readonly error: Error | null;
  /** What is wrong before the API is asked. */
  readonly fault?: string | undefined;
  /** Whether a dialog begins with it; default true. */
  readonly isFirst?: boolean;
  readonly onChange: (value: string) => void;
}

/** The password again, before something delicate. */
export function OwnPassword({ value, error, fault, isFirst = true, onChange }: OwnPasswordProps) {
  const isWrong = error instanceof ApiFailure && 'current_password' in error.fields;
  return (
    <PasswordInput
      label="Your password"
      autoComplete="current-password"
      data-autofocus={isFirst || undefined}
      value={value}
      error={fault ?? (isWrong && 'This is not your password.')}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    />
  );
}

/** A failure that no field shows. */
export const elsewhere = (error: Error | null) =>
  error instanceof ApiFailure && Object.keys(error.fields).length > 0 ? null : error;
