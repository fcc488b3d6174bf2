import {
  type Icon,
  IconBan,
  IconCalendarOff,
  IconCalendarTime,
  IconCheck,
  IconChecks,
  IconCircleDashed,
  IconCircleOff,
  IconClock,
  IconFlask,
  IconHelpCircle,
  IconLoader2,
  IconPlayerPause,
  IconPointFilled,
  IconRefresh,
  IconToggleLeft,
  IconX,
} from '@tabler/icons-react';
import type { DeliveryStatus, KeyState, MessageStatus, Mode } from '../api/types.ts';

type Tone = 'gray' | 'green' | 'blue' | 'amber' | 'red';

export interface Look {
  readonly tone: Tone;
  readonly icon: Icon;
  readonly isTurning?: boolean;
}

/** How each word of the API looks. */
export const statusLooks: Record<MessageStatus | DeliveryStatus | KeyState, Look> = {
  scheduled: { tone: 'gray', icon: IconCalendarTime },
  queued: { tone: 'gray', icon: IconCircleDashed },
  sending: { tone: 'blue', icon: IconLoader2, isTurning: true },
  unconfirmed: { tone: 'amber', icon: IconHelpCircle },
  sent: { tone: 'gray', icon: IconCheck },
  delivered: { tone: 'green', icon: IconChecks },
  read: { tone: 'blue', icon: IconChecks },
  failed: { tone: 'red', icon: IconX },
  cancelled: { tone: 'gray', icon: IconCircleOff },
  pending: { tone: 'gray', icon: IconClock },
  retrying: { tone: 'amber', icon: IconRefresh },
  succeeded: { tone: 'green', icon: IconCheck },
  active: { tone: 'green', icon: IconPointFilled },
  inactive: { tone: 'gray', icon: IconToggleLeft },
  expired: { tone: 'amber', icon: IconCalendarOff },
  revoked: { tone: 'red', icon: IconBan },
  suspended: { tone: 'red', icon: IconPlayerPause },
};

export const wordOf = (status: string) => status.charAt(0).toUpperCase() + status.slice(1);

/** A status: its icon and the API's own word. */
export function StatusBadge({ status }: { status: MessageStatus | DeliveryStatus | KeyState }) {
  return <Badge look={statusLooks[status]} word={wordOf(status)} />;
}

/** An icon and a word on a tint. */
export function Badge({ look, word }: { look: Look; word: string }) {
  const { tone, icon: Sign, isTurning } = look;
  return (
    <span className="badge" data-tone={tone}>
      <Sign stroke={2} aria-hidden="true" className={isTurning ? 'turning' : undefined} />
      {word}
    </span>
  );
}

/** Marks what goes to the simulator; live needs no mark in lists. */
export function ModeBadge({ mode, always = false }: { mode: Mode; always?: boolean }) {
  if (mode === 'live' && !always) return null;
  return (
    <span className="badge" data-tone="outline">
      {mode === 'test' && <IconFlask stroke={2} aria-hidden="true" />}
      {wordOf(mode)}
    </span>
  );
}
