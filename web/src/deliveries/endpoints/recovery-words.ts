import type { ListedEndpoint } from '../../api/types.ts';
import { momentText } from '../../parts/times.ts';
import { calledName, missedWords } from './strip-words.ts';

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
  return [
    since !== null && `It has failed since ${momentText(since)}.`,
    `It missed ${missedWords(endpoint) ?? 'nothing'} since ${momentText(missedSince)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
