import { type Icon, IconAlertTriangle } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';

interface NoticeProps {
  readonly tone: 'green' | 'amber' | 'red';
  readonly icon?: Icon;
  readonly role?: 'alert' | 'status';
  readonly style?: CSSProperties;
  readonly children: ReactNode;
}

/** What users should know about what stands below it or around it. */
export function Notice({ icon: Sign = IconAlertTriangle, tone, children, ...rest }: NoticeProps) {
  return (
    <div className="notice" data-tone={tone} {...rest}>
      <Sign size={18} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
