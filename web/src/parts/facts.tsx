import type { ReactNode } from 'react';

interface FactProps {
  readonly name: string;
  readonly className?: string;
  /** What is not known is not listed. */
  readonly children: ReactNode;
}

/** A name and what it stands for, in a list of facts. */
export function Fact({ name, className, children }: FactProps) {
  if (children === null || children === undefined || children === false || children === '') {
    return null;
  }
  return (
    <>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </>
  );
}
