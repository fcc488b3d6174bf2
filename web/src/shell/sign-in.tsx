import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../api/account-queries.ts';
import { ApiFailure, call } from '../api/client.ts';
import { leadFocus } from '../parts/page-header.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { emailFault } from '../session/email-fault.ts';
import { CodeField, type Factor } from './code-field.tsx';

const isAskedForCode = (error: unknown) =>
  error instanceof ApiFailure && error.code === 'TOTP_REQUIRED';

/** Email address and password, then the code of a second factor; the same form on the first page and over a page that was left. */
export default function SignIn() {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  // What the second factor gives; null until the password was right and a code is asked for.
  const [factor, setFactor] = useState<Factor | null>(null);
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  // There is nothing else to do here.
  useEffect(() => emailField.current?.focus(), []);
  // Another user may have no second factor.
  const forget = () => setFactor(null);
  const signIn = useMutation({
    mutationKey: ['sign-in'],
    mutationFn: async () => {
      const code = factor && { [factor.kind]: factor.code.trim() };
      return (await call('POST', '/session', null, { email, password, ...code })).data;
    },
    onError: (error) => {
      if (isAskedForCode(error)) setFactor({ kind: 'totp', code: '' });
    },
    onSuccess: (session) => {
      leadFocus();
      client.setQueryData(sessionQuery.queryKey, session);
      return client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
      });
    },
  });
  const failure =
    signIn.error instanceof ApiFailure && !isAskedForCode(signIn.error) ? signIn.error : null;
  // A field shows its error once the user has tried to continue.
  const [isTried, setIsTried] = useState(false);
  const wrongEmail = emailFault(email);
  const passwordFault = password === '' ? 'Write your password' : null;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (wrongEmail) emailField.current?.focus();
    else if (passwordFault) passwordField.current?.focus();
    else if (factor?.code.trim() !== '') signIn.mutate();
  };
  return (
    <form onSubmit={submit} className="stack" noValidate>
      <TextInput
        ref={emailField}
        label="Email address"
        type="email"
        autoComplete="username"
        data-autofocus
        required
        withAsterisk={false}
        value={email}
        error={(isTried && wrongEmail) || failure?.fields.email}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          forget();
        }}
      />
      <PasswordInput
        ref={passwordField}
        label="Password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        error={(isTried && passwordFault) || failure?.fields.password}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          forget();
        }}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
      {factor && <CodeField factor={factor} failure={failure} onChange={setFactor} />}
      <WrongLine error={failure} />
      <Button type="submit" variant="filled" loading={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}
