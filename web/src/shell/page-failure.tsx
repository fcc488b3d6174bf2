import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { FailureState } from '../parts/failure-state.tsx';
import { MissingPart } from '../parts/missing-part.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { forgetTexts } from '../session/kept-texts.ts';

/** What a reload was already tried for, so that a missing file does not cause endless reloads. */
const reloadedKey = 'parley.reloaded';

/** Replaces a page that could not be opened or that failed; opens it as soon as that can help. */
export function PageFailure({ error }: { error: unknown }) {
  const isMissing = error instanceof MissingPart;
  const wasAway = useRef(false);
  const page = useQuery({
    queryKey: ['page-answers'],
    queryFn: pageAnswers,
    refetchInterval: isMissing && 3_000,
    gcTime: 0,
  });
  if (page.isError) wasAway.current = true;
  // During a retry, the last result stays.
  const isAway = !page.isSuccess && wasAway.current;
  useEffect(() => {
    if (!isMissing || !page.isSuccess) return;
    const { cause } = error;
    const what = cause instanceof Error ? cause.message : String(cause);
    if (!wasAway.current && sessionStorage.getItem(reloadedKey) === what) return;
    sessionStorage.setItem(reloadedKey, what);
    window.location.reload();
  }, [error, isMissing, page.isSuccess]);
  useEffect(() => {
    // What was written may be why the page fails: the next reload must not bring it back.
    if (!isMissing) forgetTexts();
  }, [isMissing]);
  const again = async () => {
    // Without an answer a reload would end on the browser's own page.
    if ((await page.refetch()).isSuccess) window.location.reload();
  };
  if (isMissing && page.isPending && !isAway) return null;
  return (
    <>
      <PageHeader title="This page can’t be shown right now" />
      <div className="card">
        <FailureState error={toldError(error, isAway)} onRetry={() => void again()} />
      </div>
    </>
  );
}

async function pageAnswers(): Promise<true> {
  const answer = await fetch(window.location.href, { cache: 'no-store' });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return true;
}

function toldError(error: unknown, isAway: boolean): Error {
  if (isAway) return new Error('Parley does not answer. The page opens as soon as it does.');
  if (error instanceof MissingPart) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new Error(`It stopped with an error: ${text}`);
}
