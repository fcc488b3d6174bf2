import { Button, Modal, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { plainNumber } from '../parts/phone-number.ts';

interface NewPhoneProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onAdd: (phone: string) => void;
}

const form = /^\+[1-9]\d{6,14}$/;

/** Asks for the number of one more phone. */
export function NewPhone({ isOpen, onClose, onAdd }: NewPhoneProps) {
  const [phone, setPhone] = useState('');
  const [isTold, setIsTold] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!form.test(phone)) return setIsTold(true);
    onAdd(phone);
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
          error={isTold && !form.test(phone) && 'Write + and 7 to 15 digits, such as +14155550123'}
          onChange={(event) => setPhone(plainNumber(event.currentTarget.value))}
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
