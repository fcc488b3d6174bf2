import type { ApiKey } from '../api/types.ts';
import { momentText } from '../parts/times.ts';
import { failedAttempts, hostOf, offReasons } from './failing-endpoints.ts';

/** What is wrong with the webhook of a key, since when, and what follows. */
export function FailingText({ apiKey: { webhook } }: { apiKey: ApiKey }) {
  const { disabled_at: disabledAt, failing } = webhook;
  if (disabledAt !== null) {
    return <OffText url={webhook.url} since={disabledAt} reason={webhook.reason} />;
  }
  if (!failing) return null;
  return (
    <>
      <b>{hostOf(webhook.url)} is failing.</b> {failedAttempts(failing.failures)}, the first{' '}
      {momentText(failing.since)}. Without a success it is switched off on{' '}
      {momentText(failing.off_at)}.
    </>
  );
}

interface OffTextProps {
  readonly url: string | null;
  readonly since: string;
  readonly reason: string | null;
}

/** That an endpoint is switched off, why, and what follows. */
export function OffText({ url, since, reason }: OffTextProps) {
  return (
    <>
      <b>{hostOf(url)} is switched off</b> since {momentText(since)}.{' '}
      {reason !== null && offReasons[reason]} Its events fail until you enable it; then you can
      recover them.
    </>
  );
}
