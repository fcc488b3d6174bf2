import { IconSend } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { outcomesQuery } from '../api/account-queries.ts';
import type { Outcomes } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { usePlace } from '../session/session.tsx';
import {
  isNothing,
  type OutcomeFigure,
  type OutcomeRange,
  outcomeFigures,
  outcomeRangeOf,
  outcomeRanges,
  rangeInWords,
} from './outcome-figures.ts';
import { OutcomesChart } from './outcomes-chart.tsx';

/** What became of the messages of a time that the reader chooses, beside the time before. */
export function OutcomesCard() {
  const { accountId, mode } = usePlace();
  const range = outcomeRangeOf(useSearch({ from: '/' }).range);
  const outcomes = useQuery({
    ...outcomesQuery(accountId, range, mode),
    // While another time is counted, the figures of the one before stay, pale.
    placeholderData: keepPreviousData,
  });
  return (
    <div className="outcomes">
      <Card title="Outcomes" aside={<RangeChoice range={range} />}>
        <div aria-live="polite" aria-busy={outcomes.isPlaceholderData}>
          <QueryState query={outcomes} skeletonRows={2}>
            {(data) => <Figures outcomes={data} range={range} />}
          </QueryState>
        </div>
      </Card>
    </div>
  );
}

function RangeChoice({ range }: { range: OutcomeRange }) {
  const navigate = useNavigate({ from: '/' });
  return (
    <fieldset className="segments">
      <legend className="unseen">Time of the outcomes</legend>
      {Object.entries(outcomeRanges).map(([id, name]) => (
        <button
          key={id}
          type="button"
          aria-pressed={range === id}
          onClick={() =>
            void navigate({
              search: (before) => ({ ...before, range: id === '24h' ? undefined : id }),
              replace: true,
            })
          }
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

interface FiguresProps {
  readonly outcomes: Outcomes;
  readonly range: OutcomeRange;
}

function Figures({ outcomes, range }: FiguresProps) {
  return (
    <>
      {isNothing(outcomes) ? (
        <EmptyState
          icon={IconSend}
          title={`Nothing was sent ${rangeInWords(range)}`}
          sentence="No message was sent, none failed, and no user wrote."
        />
      ) : (
        <>
          <dl className="outcome-figures">
            {outcomeFigures(outcomes).map((figure) => (
              <Figure key={figure.name} figure={figure} from={outcomes.from} />
            ))}
          </dl>
          <OutcomesChart outcomes={outcomes} range={range} />
        </>
      )}
      {!outcomes.complete && (
        <p className="table-foot quiet">
          The hours before are being counted. Until that is done, these figures are too low.
        </p>
      )}
    </>
  );
}

function Figure({ figure, from }: { figure: OutcomeFigure; from: string }) {
  const { name, value, of, before, list } = figure;
  return (
    <div className="outcome" data-tone={list === 'failed' ? 'red' : undefined}>
      <dt className="secondary">{name}</dt>
      <dd className="amount">
        {list ? (
          <Link to="/messages" search={{ from, status: list }}>
            {value}
            <span className="unseen"> {name}</span>
          </Link>
        ) : (
          value
        )}
      </dd>
      <dd className="small">{of}</dd>
      {before !== undefined && <dd className="small">Before: {before}</dd>}
    </div>
  );
}
