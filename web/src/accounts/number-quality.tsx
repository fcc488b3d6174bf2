import { IconAlertTriangle, IconPointFilled } from '@tabler/icons-react';
import { Badge, type Look } from '../parts/status-badge.tsx';
import { plainWords } from '../parts/words.ts';

const good: Look = { tone: 'green', icon: IconPointFilled };
const poor: Look = { tone: 'amber', icon: IconAlertTriangle };
const other: Look = { tone: 'gray', icon: IconPointFilled };

/** What WhatsApp's events on the quality of a number mean. */
const events: Readonly<Record<string, readonly [word: string, look: Look]>> = {
  FLAGGED: ['Flagged', { tone: 'red', icon: IconAlertTriangle }],
  UNFLAGGED: ['Good again', good],
  DOWNGRADE: ['Limit lowered', poor],
  UPGRADE: ['Limit raised', good],
};

/** WhatsApp's latest event on the quality of a number; one that Parley does not know is shown as it is. */
export function NumberQuality({ event }: { event: string }) {
  const [word, look] = events[event] ?? [plainWords(event), other];
  return <Badge look={look} word={word} />;
}
