import { Button, Checkbox } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Job } from '../api/types.ts';
import { useGuardedMutation } from '../parts/mutation.ts';
import { counted, sumOf } from '../parts/numbers.ts';
import { Question } from '../parts/question.tsx';
import { jobGo, jobQuestion, jobWords } from './job-words.ts';
import {
  deliveredOf,
  deliveredWords,
  hopelessOf,
  leftOutWords,
  nothingReasons,
} from './left-out-words.ts';

interface AllMatchingProps {
  readonly kind: Job['kind'];
  /** How many rows the list has; undefined while nobody knows. */
  readonly found: { readonly total: number; readonly isExact: boolean } | undefined;
  /** The parameters of the list. */
  readonly asked: () => Readonly<Record<string, unknown>>;
  /** More of the filter, where all that matches goes to one place only. */
  readonly narrowed?: (urls: readonly string[]) => Readonly<Record<string, unknown>>;
  /** What the user should know of the places where it goes. */
  readonly warning?: (urls: readonly string[]) => ReactNode;
}

/** Does something to all that matches, also to what the page does not show. */
export function AllMatching({ kind, found, asked, narrowed, warning }: AllMatchingProps) {
  const { button, noun, effect, nothing } = jobWords[kind];
  const reread = useReread();
  const [isAsked, setIsAsked] = useState(false);
  // What is counted is what the job is about: a time such as the last hour does not move on meanwhile.
  const [filter, setFilter] = useState<Readonly<Record<string, unknown>>>({});
  const [withHopeless, setWithHopeless] = useState(false);
  const [withDelivered, setWithDelivered] = useState(false);
  const count = useMutation({
    mutationFn: async (matched: typeof filter) =>
      (await call('POST', '/jobs/preview', null, { kind, filter: matched })).data,
  });
  const ask = () => {
    const now = given(asked());
    setFilter(now);
    setWithHopeless(false);
    setWithDelivered(false);
    setIsAsked(true);
    begin.reset();
    count.reset();
    count.mutate(now);
  };
  const begin = useGuardedMutation({
    mutationFn: () =>
      call('POST', '/jobs', null, {
        kind,
        filter: { ...filter, ...(count.data?.total_is_exact && narrowed?.(count.data.endpoints)) },
        ...(hopeless.length > 0 &&
          !withHopeless && { without_codes: hopeless.map(({ code }) => code) }),
        // Also what is delivered while the question stands, and where nothing could be counted.
        ...(skipsDelivered && { without_succeeded: true }),
      }),
    onSuccess: async () => {
      await reread(['jobs']);
      setIsAsked(false);
    },
  });
  const isNothing = found?.total === 0 && found.isExact;
  const hopeless = hopelessOf(count.data);
  const skipsDelivered = kind === 'redeliver' && statusOf(filter) !== 'succeeded' && !withDelivered;
  const delivered = deliveredOf(count.data, statusOf(filter));
  const total =
    (count.data?.total ?? 0) -
    (withHopeless ? 0 : sumOf(hopeless)) -
    (withDelivered ? 0 : delivered);
  // Without an exact total, some may be left although none is counted.
  const preview =
    count.data && (total > 0 || count.data.total_is_exact) ? { ...count.data, total } : null;
  const reasons = preview?.total === 0 ? nothingReasons(preview, hopeless, delivered) : null;
  return (
    <>
      <Button
        leftSection={<IconStack2 size={16} />}
        disabled={isNothing}
        title={isNothing ? 'Nothing matches the filters' : undefined}
        onClick={ask}
      >
        {button}…
      </Button>
      <Question
        isAsked={isAsked}
        title={preview ? jobQuestion(kind, preview, statusOf(filter)) : `${button}?`}
        keep={kind === 'cancel' ? 'Keep messages' : undefined}
        go={preview ? jobGo(kind, preview) : button}
        isReady={count.isError || (count.isSuccess && reasons === null)}
        isPending={begin.isPending}
        error={begin.error}
        onKeep={() => setIsAsked(false)}
        onGo={() => begin.mutate()}
      >
        {count.isPending && <p role="status">Counting …</p>}
        {count.isError && <p role="status">How many these are could not be counted.</p>}
        <p>
          This is about every {noun} that matches the filters now
          {skipsDelivered && (delivered > 0 || count.isError) && ' and was not delivered'}, at most
          100,000. {effect}
        </p>
        {count.data && warning?.(count.data.endpoints)}
        {hopeless.length > 0 && (
          <Checkbox
            label={`Also ${counted(sumOf(hopeless), 'message')} that another try cannot help`}
            description={hopeless.map(({ words }) => words).join('; ')}
            checked={withHopeless}
            onChange={(event) => setWithHopeless(event.currentTarget.checked)}
          />
        )}
        {delivered > 0 && (
          <Checkbox
            label={deliveredWords(delivered)}
            description="Their endpoints get them once more."
            checked={withDelivered}
            onChange={(event) => setWithDelivered(event.currentTarget.checked)}
          />
        )}
        {reasons === null ? (
          <>
            {count.data && leftOutWords(count.data) && <p>{leftOutWords(count.data)}</p>}
            <p>It can be stopped. What is done by then stays.</p>
          </>
        ) : (
          <p role="status">
            {nothing}: {reasons}.
          </p>
        )}
      </Question>
    </>
  );
}

const statusOf = ({ status }: Readonly<Record<string, unknown>>) =>
  typeof status === 'string' ? status : undefined;

/** A filter without what is not set. */
const given = (asked: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== null && value !== undefined),
  );
