import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReadTime } from './field-time.ts';

interface TimeFieldProps extends Omit<TextInputProps, 'onChange' | 'type' | 'value'> {
  readonly value: string;
  /** What the value means. */
  readonly read: ReadTime;
  readonly onChange: (value: string) => void;
}

/** A field for a date and a time, with what is wrong or special about them. */
export function TimeField({ read, error, onChange, ...field }: TimeFieldProps) {
  return (
    <div>
      <TextInput
        {...field}
        type="datetime-local"
        error={error || read.fault}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p className="small" role="status">
        {read.note}
      </p>
    </div>
  );
}
