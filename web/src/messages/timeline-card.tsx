import type { MessageStatus, TimelineEntry } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { statusLooks, wordOf } from '../parts/status-badge.tsx';
import { clockTime, duration, fullTime } from '../parts/times.ts';

/** Who noticed a change, where the status alone does not say. */
const sources: Readonly<Record<TimelineEntry['source'], string>> = {
  api: 'Accepted by the API',
  worker: 'Picked up by a worker',
  platform: 'WhatsApp’s answer',
  webhook: 'Reported by WhatsApp',
  recovery: 'Found by recovery',
};

const texts: Partial<Record<MessageStatus, string>> = {
  sending: 'On its way to WhatsApp',
  unconfirmed: 'WhatsApp may have it. Parley does not send it again',
};

/** Every status that the message has had. */
export function TimelineCard({ entries }: { entries: TimelineEntry[] }) {
  const first = entries[0];
  const sent = entries.find(({ status }) => status === 'sent');
  return (
    <Card
      title="Timeline"
      aside={
        first && sent ? (
          <span className="secondary">Sent in {duration(gapMs(first, sent))}</span>
        ) : undefined
      }
    >
      <ol className="timeline" aria-live="polite">
        {entries.map((entry, index) => {
          const { tone, icon: Sign } = statusLooks[entry.status];
          const before = entries[index - 1];
          return (
            <li key={`${entry.status} ${entry.at}`}>
              <span className="timeline-sign" data-tone={tone}>
                <Sign size={14} stroke={2} aria-hidden="true" />
              </span>
              <span className="strong">{wordOf(entry.status)}</span>
              <span className="secondary">{texts[entry.status] ?? sources[entry.source]}</span>
              <span className="at" title={fullTime(entry.at)}>
                {before && `+${duration(Math.max(0, gapMs(before, entry)))}  `}
                <code>{clockTime(entry.at)}</code>
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

const gapMs = (from: TimelineEntry, to: TimelineEntry) => Date.parse(to.at) - Date.parse(from.at);
