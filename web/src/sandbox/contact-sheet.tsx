import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { readPhoneNumber } from '../../../libs/phone-numbers/read-phone-number.ts';
import { simulatorContactLimits } from '../api/limits/simulator-contact.ts';
import type { SimulatorReply } from '../api/types.ts';
import { given } from './filled-in.ts';
import { FormSheet, type SheetProps } from './form-sheet.tsx';

interface ContactSheetProps extends SheetProps {
  readonly onSend: (contact: NonNullable<SimulatorReply['contact']>) => void;
}

/** Asks whose contact card the user sends. */
export function ContactSheet({ onSend, ...sheet }: ContactSheetProps) {
  const [name, setName] = useState('Mia Jung');
  const [phone, setPhone] = useState('+14155550123');
  const read = readPhoneNumber(phone);
  return (
    <FormSheet
      {...sheet}
      title="Send contact"
      send="Send"
      isReady={name.trim() !== ''}
      onSend={() =>
        onSend({ name: name.trim(), ...given('phone', 'phone' in read ? read.phone : phone) })
      }
    >
      <TextInput
        label="Name"
        autoComplete="off"
        maxLength={simulatorContactLimits.name.maxLength}
        value={name}
        error={name.trim() === '' && 'Write a name'}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Phone number (optional)"
        autoComplete="off"
        value={phone}
        onChange={(event) => setPhone(event.currentTarget.value)}
      />
    </FormSheet>
  );
}
