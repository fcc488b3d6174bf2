import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { ApiFailure, call } from '../api/client.ts';
import { WrongLine } from '../parts/wrong-line.tsx';
import { NewPassword } from '../session/new-password.tsx';
import { isShortPassword } from '../session/short-password.ts';

/** Sets a password under the link of an invitation, or the one that an operator has handed over. */
export default function ResetForm() {
  // It stays behind the “#”, which browsers send to nobody.
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token'));
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationKey: ['sign-in'],
    mutationFn: async (sent: { token: string }) => {
      const given = { ...sent, new_password: password };
      const { email } = (await call('POST', '/password-reset', null, given)).data;
      try {
        await call('POST', '/session', null, { email, password });
        window.location.assign('/dashboard');
      } catch {
        // The password is set: signing in takes a code too, or has to wait.
      }
    },
  });
  const failure = reset.error instanceof ApiFailure ? reset.error : null;
  if (token === null) {
    return <p>The link is not complete. Copy all of it, or ask an operator for another one.</p>;
  }
  if (reset.isSuccess) {
    return (
      <>
        <p role="status">Your password is set. Sign in with it now.</p>
        <Button component="a" href="/dashboard" variant="filled">
          Sign in
        </Button>
      </>
    );
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        reset.mutate({ token });
      }}
    >
      <NewPassword
        label="Password"
        value={password}
        error={failure?.fields.new_password}
        onChange={setPassword}
      />
      <WrongLine error={failure && !failure.fields.new_password ? failure : null} />
      <Button
        type="submit"
        variant="filled"
        disabled={password === '' || isShortPassword(password)}
        loading={reset.isPending}
      >
        Set the password
      </Button>
    </form>
  );
}
