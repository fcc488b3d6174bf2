import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ApiFailure } from '../api/client.ts';
import { signInLimits } from '../api/limits/sign-in.ts';

/** What proves the second factor, by the name that the API gives it. */
export interface Factor {
  readonly kind: 'totp' | 'recovery_code';
  readonly code: string;
}

interface CodeFieldProps {
  readonly factor: Factor;
  readonly failure: ApiFailure | null;
  readonly onChange: (factor: Factor) => void;
}

/** The code of the authenticator, or a recovery code in its place. */
export function CodeField({ factor, failure, onChange }: CodeFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const isTotp = factor.kind === 'totp';
  // It is what comes next, and what is written anew after a wrong one.
  useEffect(() => field.current?.select(), [factor.kind, failure]);
  return (
    <div>
      <TextInput
        ref={field}
        label={isTotp ? 'Code of your authenticator' : 'Recovery code'}
        autoComplete="one-time-code"
        inputMode={isTotp ? 'numeric' : 'text'}
        maxLength={signInLimits[factor.kind].maxLength}
        required
        withAsterisk={false}
        value={factor.code}
        error={failure?.fields[factor.kind]}
        onChange={(event) => onChange({ ...factor, code: event.currentTarget.value })}
      />
      <button
        type="button"
        className="link small"
        style={{ marginTop: 8 }}
        onClick={() => onChange({ kind: isTotp ? 'recovery_code' : 'totp', code: '' })}
      >
        {isTotp ? 'Use a recovery code' : 'Use a code of the authenticator'}
      </button>
    </div>
  );
}
