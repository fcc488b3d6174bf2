import { type ComponentProps, useId } from 'react';

interface PlainFieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly error?: string | null;
}

/** A field without a visible label. It is the browser’s own: the first load of a list has no room for Mantine’s. */
export function PlainField({ label, error, className = '', ...input }: PlainFieldProps) {
  const id = useId();
  return (
    <div className={`plain-field ${className}`}>
      <input
        {...input}
        className="field"
        aria-label={label}
        {...(error && { 'aria-invalid': true, 'aria-describedby': id })}
      />
      {error && (
        <p id={id} className="small wrong">
          {error}
        </p>
      )}
    </div>
  );
}
