import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  readonly sentence: string;
  readonly action?: ReactNode;
}

/** Replaces an empty list: what belongs here, and one next step. */
export function EmptyState({ icon: Sign, title, sentence, action }: EmptyStateProps) {
  return (
    <div className="state">
      <Sign size={28} stroke={1.5} aria-hidden="true" />
      <h2 style={{ fontSize: 14 }}>{title}</h2>
      <p className="secondary">{sentence}</p>
      {action}
    </div>
  );
}
