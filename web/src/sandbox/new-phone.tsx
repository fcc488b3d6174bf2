import { Button, Modal, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { readPhoneNumber } from '../../../libs/phone-numbers/read-phone-number.ts';

interface NewPhoneProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onAdd: (phone: string) => void;
}

/** Asks for the number of one more phone. */
export function NewPhone({ isOpen, onClose, onAdd }: NewPhoneProps) {
  const [phone, setPhone] = useState('');
  const [isTold, setIsTold] = useState(false);
  const read = readPhoneNumber(phone);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if ('fault' in read) return setIsTold(true);
    onAdd(read.phone);
    setPhone('');
    setIsTold(false);
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add phone">
      <form onSubmit={submit}>
        <TextInput
          label="Phone number"
          description="Use any number: it exists only in the simulator."
          placeholder="+14155550123"
          data-autofocus
          value={phone}
          error={isTold && 'fault' in read && `${read.fault}. Write it as +14155550123.`}
          onChange={(event) => setPhone(event.currentTarget.value)}
        />
        <div className="row sandbox-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled">
            Add phone
          </Button>
        </div>
      </form>
    </Modal>
  );
}
