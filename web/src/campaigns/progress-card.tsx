import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CampaignDetails } from '../api/types.ts';
import { Moment } from '../parts/moment.tsx';
import { amount, ofSent, share } from '../parts/numbers.ts';
import { wordOf } from '../parts/status-badge.tsx';
import { duration } from '../parts/times.ts';
import { figuresOf, legendOf } from './progress.ts';
import { ProgressBar } from './progress-bar.tsx';

/** How far a campaign is: figures, a bar, and the counts, each of which leads to its recipients. */
export function ProgressCard({ campaign }: { campaign: CampaignDetails }) {
  const { counts, pause_on: pauseOn } = campaign;
  const { done, sent, delivered, tried } = figuresOf(campaign);
  const arrived = ofSent(delivered, sent);
  const takenWords = `${amount(delivered)} of ${amount(sent)} that WhatsApp took`;
  return (
    <section className="card" aria-label="Progress">
      <h2 className="unseen">Progress</h2>
      <dl className="campaign-figures">
        <Figure name="Done" note={`${amount(done)} of ${amount(counts.total)}`}>
          {share(done, counts.total)}
        </Figure>
        <RateFigure campaign={campaign} />
        <EndFigure campaign={campaign} />
        <Figure name="Delivered" note={sent === 0 ? arrived.of : takenWords}>
          {arrived.value}
        </Figure>
        <Figure
          name="Failure rate"
          note={
            pauseOn
              ? `Pauses itself at ${amount(pauseOn.failure_rate * 100)} %`
              : `${amount(counts.failed)} of ${amount(tried)}`
          }
        >
          {tried === 0 ? '–' : share(counts.failed, tried)}
        </Figure>
      </dl>
      <div className="campaign-progress">
        <ProgressBar counts={counts} />
        <ul className="campaign-legend" aria-label="Recipients by status">
          {legendOf(counts).map(({ status, count }) => (
            <li key={status}>
              <Link
                from="/campaigns/$campaignId"
                to="."
                search={(search) => ({ ...search, status, code: undefined })}
                replace
                resetScroll={false}
              >
                <i data-part={status} aria-hidden="true" />
                {wordOf(status)} <b>{amount(count)}</b>
              </Link>
            </li>
          ))}
        </ul>
        <p className="small campaign-once">
          Each recipient is counted once, under the latest that is known: who has read the message
          is no longer under “Sent”.
        </p>
      </div>
    </section>
  );
}

/** How fast it is; while that is not known, how fast it may be. */
function RateFigure({ campaign: { rate, per_second: limit } }: { campaign: CampaignDetails }) {
  if (rate === null) {
    if (limit === null) return null;
    return (
      <Figure name="Rate limit">
        {amount(limit)} <small>a second</small>
      </Figure>
    );
  }
  return (
    <Figure name="Rate" note={limit !== null && `Limit set: ${amount(limit)} a second`}>
      {rate >= 10 ? amount(Math.round(rate)) : rate.toFixed(1)} <small>a second</small>
    </Figure>
  );
}

/** When it ends, or what else there is to say of its time. */
function EndFigure({ campaign }: { campaign: CampaignDetails }) {
  const { status, counts, eta_seconds: seconds, send_at, paused_at, ended_at } = campaign;
  if (status === 'running') {
    // Once all are released, the pace of the releases says nothing about those who wait.
    if (seconds === null || counts.pending === 0) return null;
    const at = new Date(Date.now() + seconds * 1_000).toISOString();
    return (
      <Figure name="Ends in about" note={<Moment at={at} />}>
        {duration(seconds * 1_000)}
      </Figure>
    );
  }
  if (ended_at) {
    return (
      <Figure name={status === 'cancelled' ? 'Cancelled' : 'Ended'} isTime>
        <Moment at={ended_at} to="minute" />
      </Figure>
    );
  }
  if (paused_at) {
    return (
      <Figure name="Paused since" isTime>
        <Moment at={paused_at} to="minute" />
      </Figure>
    );
  }
  return (
    <Figure name="Begins" isTime={send_at !== null}>
      {send_at ? <Moment at={send_at} to="minute" /> : '–'}
    </Figure>
  );
}

interface FigureProps {
  readonly name: string;
  readonly note?: ReactNode;
  readonly isTime?: boolean;
  readonly children: ReactNode;
}

function Figure({ name, note, isTime, children }: FigureProps) {
  return (
    <div className="campaign-figure" data-time={isTime}>
      <dt className="small">{name}</dt>
      <dd className="amount">{children}</dd>
      {note && <dd className="small">{note}</dd>}
    </div>
  );
}
