import {
  IconBan,
  IconCheck,
  IconClock,
  IconHelpCircle,
  IconPlayerPause,
  IconX,
} from '@tabler/icons-react';
import { Badge, type Look } from '../parts/status-badge.tsx';

const looks: Readonly<Record<string, Look>> = {
  APPROVED: { tone: 'green', icon: IconCheck },
  PENDING: { tone: 'amber', icon: IconClock },
  IN_APPEAL: { tone: 'amber', icon: IconClock },
  PAUSED: { tone: 'amber', icon: IconPlayerPause },
  REJECTED: { tone: 'red', icon: IconX },
  DISABLED: { tone: 'red', icon: IconBan },
};

const unknown: Look = { tone: 'gray', icon: IconHelpCircle };

/** Those that a filter offers. */
export const templateStatuses = Object.keys(looks);

/** WhatsApp's name of a status, in ordinary letters: `IN_APPEAL` → `In appeal`. */
export function templateStatusWord(status: string): string {
  const words = status.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether WhatsApp lets a template be sent. */
export function TemplateStatusBadge({ status }: { status: string }) {
  return <Badge look={looks[status] ?? unknown} word={templateStatusWord(status)} />;
}
