import { Button, TextInput } from '@mantine/core';
import { type SyntheticEvent, useId, useState } from 'react';
import { registrationLimits } from '../../api/limits/registration.ts';
import type { ChecklistItem } from '../../api/types.ts';
import { useChecklistAction } from './checklist.ts';
import { ChecklistRow } from './checklist-row.tsx';
import { RefusalLine } from './refusal-line.tsx';

interface RegisterRowProps {
  readonly item: ChecklistItem;
  readonly accountId: string;
}

/** Registers the number for the Cloud API. */
export function RegisterRow({ item, accountId }: RegisterRowProps) {
  const form = useId();
  const registration = useChecklistAction(accountId, 'register');
  const [pin, setPin] = useState('');
  const [isTried, setIsTried] = useState(false);
  const fault = registrationLimits.pin.pattern.test(pin) ? undefined : 'A PIN has six digits.';
  if (item.state !== 'missing') return <ChecklistRow item={item} />;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (!fault) registration.mutate({ pin });
  };
  return (
    <ChecklistRow
      item={item}
      aside={
        <Button type="submit" form={form} variant="filled" loading={registration.isPending}>
          Register number
        </Button>
      }
    >
      <form id={form} className="go-live-field" onSubmit={submit} noValidate>
        <TextInput
          label="PIN"
          description="Of the number’s two-step verification. If it has none, choose six digits and note them. Parley hands the PIN to WhatsApp and does not keep it."
          inputMode="numeric"
          autoComplete="off"
          maxLength={registrationLimits.pin.maxLength}
          value={pin}
          error={isTried && fault}
          onChange={(event) => {
            registration.reset();
            setPin(event.currentTarget.value.trim());
          }}
        />
      </form>
      <RefusalLine error={registration.error} />
    </ChecklistRow>
  );
}
