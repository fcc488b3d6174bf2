import { Textarea, TextInput } from '@mantine/core';

interface CountedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly max?: number;
  readonly isOptional?: boolean;
  readonly isLong?: boolean;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/** What is wrong with a text that is too long; characters are counted as the API counts them. */
export function lengthFault(value: string, max: number): string | undefined {
  const length = [...value].length;
  return length > max ? `At most ${max} characters; this has ${length}` : undefined;
}

/** A field with its count at the right of the label. */
export function CountedField(props: CountedFieldProps) {
  const { label, value, max, isOptional, isLong, fault, onChange } = props;
  const Field = isLong ? Textarea : TextInput;
  return (
    <Field
      label={
        <span className="spread">
          <span>
            {label}
            {isOptional && <span className="quiet"> optional</span>}
          </span>
          {max && (
            <span className="small">
              {[...value].length} / {max}
            </span>
          )}
        </span>
      }
      labelProps={{ style: { display: 'block' } }}
      {...(isLong && { autosize: true, minRows: 2 })}
      value={value}
      error={(max && lengthFault(value, max)) ?? fault}
      onChange={(event: { currentTarget: { value: string } }) =>
        onChange(event.currentTarget.value)
      }
    />
  );
}
