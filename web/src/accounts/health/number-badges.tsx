import {
  IconAlertTriangle,
  IconCalendarOff,
  IconClock,
  IconPointFilled,
  IconX,
} from '@tabler/icons-react';
import type { Account } from '../../api/types.ts';
import { Badge, type Look } from '../../parts/status-badge.tsx';
import { timeUntil } from '../../parts/times.ts';
import { eventWord, qualityWord, reviewWord, tokenEndsSoon } from './health-words.ts';

const good: Look = { tone: 'green', icon: IconPointFilled };
const poor: Look = { tone: 'amber', icon: IconAlertTriangle };
const bad: Look = { tone: 'red', icon: IconAlertTriangle };
const other: Look = { tone: 'gray', icon: IconPointFilled };

const qualityLooks: Readonly<Record<string, Look>> = { GREEN: good, YELLOW: poor, RED: bad };

const eventLooks: Readonly<Record<string, Look>> = {
  FLAGGED: bad,
  UNFLAGGED: good,
  DOWNGRADE: poor,
  UPGRADE: good,
};

const reviewLooks: Readonly<Record<string, Look>> = {
  APPROVED: good,
  PENDING_REVIEW: { tone: 'amber', icon: IconClock },
  DECLINED: { tone: 'red', icon: IconX },
};

/** The quality of a number as WhatsApp rates it, or its event on it where that is newer. */
export function NumberQuality({ account }: { account: Account }) {
  const { health, quality_event: event, quality_at: eventAt } = account;
  const isEventNewer = !health || Date.parse(eventAt ?? '') > Date.parse(health.read_at);
  if (event !== null && (isEventNewer || health.quality === null)) {
    return <Badge look={eventLooks[event] ?? other} word={eventWord(event)} />;
  }
  const quality = health?.quality;
  return quality ? (
    <Badge look={qualityLooks[quality] ?? other} word={qualityWord(quality)} />
  ) : (
    <span className="quiet">Not reported</span>
  );
}

/** The review of the number's name. */
export function NameReview({ status }: { status: string }) {
  return <Badge look={reviewLooks[status] ?? other} word={reviewWord(status)} />;
}

/** That the access token of an account soon ends; nothing where it does not. */
export function TokenEnd({ account }: { account: Account }) {
  const end = tokenEndsSoon(account);
  return (
    end && (
      <Badge
        look={{ tone: 'amber', icon: IconCalendarOff }}
        word={Date.parse(end) > Date.now() ? `Token ends ${timeUntil(end)}` : 'Token ended'}
      />
    )
  );
}
