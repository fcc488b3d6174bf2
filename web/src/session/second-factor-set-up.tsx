import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { ApiFailure, call } from '../api/client.ts';
import { totpConfirmationLimits } from '../api/limits/totp-confirmation.ts';
import type { TotpSetup } from '../api/types.ts';
import { SecretValue } from '../parts/secret-value.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { elsewhere, OwnPassword } from './own-password.tsx';
import { TotpImage } from './totp-image.tsx';

/** Sets up a second factor: the password, the secret for the authenticator, its first code, the recovery codes. */
export function SecondFactorSetUp({ onDone }: { onDone: () => void }) {
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <Codes codes={codes} onDone={onDone} />;
  if (setup) return <Confirmation setup={setup} onCodes={setCodes} />;
  return <Beginning onBegun={setSetup} />;
}

const submitted = (go: () => void) => (event: SyntheticEvent) => {
  event.preventDefault();
  go();
};

function Beginning({ onBegun }: { onBegun: (setup: TotpSetup) => void }) {
  const [password, setPassword] = useState('');
  const begin = useMutation({
    mutationFn: async () =>
      (await call('POST', '/me/totp', null, { current_password: password })).data,
    onSuccess: onBegun,
  });
  return (
    <form className="stack" noValidate onSubmit={submitted(() => begin.mutate())}>
      <p>
        A sign-in then takes your password and a code that an authenticator on your phone shows,
        such as Google Authenticator, 1Password or Aegis.
      </p>
      <OwnPassword value={password} error={begin.error} onChange={setPassword} />
      <WrongLine error={elsewhere(begin.error)} effect="Nothing was changed." />
      <div>
        <Button type="submit" variant="filled" disabled={password === ''} loading={begin.isPending}>
          Set up a second factor
        </Button>
      </div>
    </form>
  );
}

interface ConfirmationProps {
  readonly setup: TotpSetup;
  readonly onCodes: (codes: readonly string[]) => void;
}

const { maxLength } = totpConfirmationLimits.totp;

function Confirmation({ setup, onCodes }: ConfirmationProps) {
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: async () => (await call('POST', '/me/totp/confirm', null, { totp: code })).data,
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  const isWrong = confirm.error instanceof ApiFailure && 'totp' in confirm.error.fields;
  return (
    <form className="stack new-secret" noValidate onSubmit={submitted(() => confirm.mutate())}>
      <p>Scan this with your authenticator, or copy the secret into it.</p>
      <TotpImage uri={setup.uri} />
      <SecretValue name="Secret" purpose="Time-based, six digits" value={setup.secret} />
      <TextInput
        label="Code of your authenticator"
        description="The six digits that it shows now"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={maxLength}
        value={code}
        error={isWrong && 'This is not the code that counts now. Is the clock of your phone right?'}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <WrongLine error={elsewhere(confirm.error)} effect="The second factor is not on." />
      <div>
        <Button
          type="submit"
          variant="filled"
          disabled={code.length !== maxLength}
          loading={confirm.isPending}
        >
          Switch on
        </Button>
      </div>
    </form>
  );
}

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isStored, setIsStored] = useState(false);
  return (
    <div className="stack new-secret">
      <p role="status">
        The second factor is on. Each of these codes lets you in once without your authenticator.
        Store them where your phone is not: they are not shown again.
      </p>
      <SecretValue
        name="Recovery codes"
        purpose="One in each line of the copy"
        value={codes.join('\n')}
        isMain
      />
      <div className="spread">
        <Checkbox
          label="I have stored these codes"
          checked={isStored}
          onChange={(event) => setIsStored(event.currentTarget.checked)}
        />
        <Button disabled={!isStored} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
