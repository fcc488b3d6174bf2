import { IconCornerUpLeft } from '@tabler/icons-react';
import type { Delivery, TimelineEntry } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { type Look, statusLooks, wordOf } from '../parts/status-badge.tsx';
import { clockTime, duration, fullTime } from '../parts/times.ts';
import { endWords, timelineLines } from './timeline-lines.ts';

interface TimelineCardProps {
  readonly entries: readonly TimelineEntry[];
  /** The events about the answers. */
  readonly answers: readonly Delivery[];
}

const answerLook: Look = { tone: 'green', icon: IconCornerUpLeft };

/** Every status that the message has had, and what the recipient answered. */
export function TimelineCard({ entries, answers }: TimelineCardProps) {
  const end = endWords(entries);
  return (
    <Card title="Timeline" aside={end && <span className="secondary">{end}</span>}>
      <ol className="timeline" aria-live="polite">
        {timelineLines(entries, answers).map(({ status, at, text, gapMs }) => {
          const { tone, icon: Sign } = status === 'answered' ? answerLook : statusLooks[status];
          return (
            <li key={`${status} ${at}`}>
              <span className="timeline-sign" data-tone={tone}>
                <Sign size={14} stroke={2} aria-hidden="true" />
              </span>
              <span className="strong">{wordOf(status)}</span>
              <span className="secondary">{text}</span>
              <span className="at" title={fullTime(at)}>
                {gapMs !== null && `+${duration(gapMs)}  `}
                <code>{clockTime(at)}</code>
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
