import { minuteMs } from '../../../../libs/durations/index.ts';
import type { ListedEndpoint } from '../../api/types.ts';
import { momentText } from '../../parts/times.ts';
import { calledName, missedWords, waitingWords } from './strip-words.ts';

interface RecoveryWords {
  readonly button: string;
  /** The question. */
  readonly title: string;
  readonly go: string;
}

/** What can be done for an endpoint that is off or missed events; null: nothing needs to be done. */
export function recoveryWords(endpoint: ListedEndpoint): RecoveryWords | null {
  const name = `“${calledName(endpoint)}”`;
  const missed = missedWords(endpoint);
  if (endpoint.health !== 'disabled') {
    if (missed === null) return null;
    return {
      button: 'Recover what it missed…',
      title: `Recover ${missed} of ${name}?`,
      go: 'Recover events',
    };
  }
  return missed
    ? {
        button: 'Enable and recover…',
        title: `Enable ${name} and recover ${missed}?`,
        go: 'Enable and recover',
      }
    : { button: 'Enable…', title: `Enable ${name}?`, go: 'Enable endpoint' };
}

/** `It has failed since 29 Nov, 09:12. It missed 20 events since 28 Nov, 08:12.` */
export function standingWords(endpoint: ListedEndpoint): string {
  const { since, missed_since: missedSince } = endpoint;
  const missed = missedWords(endpoint);
  const nothing = waitingWords(endpoint) ? 'No event has failed for good' : 'It missed nothing';
  return [
    since !== null && `It has failed since ${momentText(since)}.`,
    `${missed ? `It missed ${missed}` : nothing} since ${momentText(missedSince)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** `68 events still wait for their next try.`; null: none does. */
export function nextTryWords(endpoint: ListedEndpoint): string | null {
  const waiting = waitingWords(endpoint);
  if (waiting === null) return null;
  const isOne = endpoint.retrying + endpoint.waiting === 1;
  return `${waiting.replace(/ waits?$/, ` still ${isOne ? 'waits' : 'wait'}`)} for ${isOne ? 'its' : 'their'} next try.`;
}

/** Whether it is known that nothing has failed for good since a time. */
export const missedNothing = (endpoint: ListedEndpoint, since: string) =>
  endpoint.missed === 0 &&
  endpoint.missed_is_exact &&
  Date.parse(since) >= Math.floor(Date.parse(endpoint.missed_since) / minuteMs) * minuteMs;
