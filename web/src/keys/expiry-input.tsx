import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { dayMs } from '../../../libs/durations/index.ts';
import { utcTime } from '../parts/times.ts';

const choices = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date' },
];

interface ExpiryInputProps {
  readonly value: string | null;
  readonly error: string | undefined;
  readonly onChange: (value: string | null) => void;
}

/** Midnight in UTC, this many days from now. */
const inDays = (days: number) =>
  new Date(Math.ceil((Date.now() + days * dayMs) / dayMs) * dayMs).toISOString();

/** When a key ends: after a while, on a date, or never. */
export function ExpiryInput({ value, error, onChange }: ExpiryInputProps) {
  const [choice, setChoice] = useState(value === null ? 'never' : 'date');
  const choose = (next: string | null) => {
    if (next === null) return;
    setChoice(next);
    onChange(next === 'never' ? null : inDays(next === 'date' ? 30 : Number(next)));
  };
  return (
    <div>
      <Select
        label="Expires"
        description={value === null ? 'It works until you revoke it' : utcTime(value)}
        data={choices}
        value={choice}
        onChange={choose}
        error={choice === 'date' ? undefined : error}
      />
      {choice === 'date' && (
        <TextInput
          mt={8}
          type="date"
          aria-label="Expiry date"
          value={value?.slice(0, 10) ?? ''}
          error={error}
          onChange={({ currentTarget }) => {
            if (currentTarget.value) onChange(`${currentTarget.value}T00:00:00.000Z`);
          }}
        />
      )}
    </div>
  );
}
