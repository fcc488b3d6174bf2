import {
  IconBan,
  IconCheck,
  IconClock,
  IconHelpCircle,
  IconPlayerPause,
  IconX,
} from '@tabler/icons-react';
import { Badge, type Look } from '../parts/status-badge.tsx';
import { plainWords } from '../parts/words.ts';

const looks: Readonly<Record<string, Look>> = {
  APPROVED: { tone: 'green', icon: IconCheck },
  PENDING: { tone: 'amber', icon: IconClock },
  IN_APPEAL: { tone: 'amber', icon: IconClock },
  PAUSED: { tone: 'amber', icon: IconPlayerPause },
  REJECTED: { tone: 'red', icon: IconX },
  DISABLED: { tone: 'red', icon: IconBan },
};

const unknown: Look = { tone: 'gray', icon: IconHelpCircle };

export const templateLook = (status: string): Look => looks[status] ?? unknown;

/** Those that a filter offers. */
export const templateStatuses = Object.keys(looks);

/** Whether WhatsApp lets a template be sent. */
export function TemplateStatusBadge({ status }: { status: string }) {
  return <Badge look={templateLook(status)} word={plainWords(status)} />;
}
