import type { ComponentProps, ReactNode } from 'react';

interface PlainSwitchProps extends ComponentProps<'input'> {
  readonly label?: ReactNode;
}

/** A switch that is the browser’s own: the first load of a list has no room for Mantine’s. */
export function PlainSwitch({ label, ...input }: PlainSwitchProps) {
  return (
    <label className="switch row">
      <input {...input} type="checkbox" role="switch" />
      {label}
    </label>
  );
}
