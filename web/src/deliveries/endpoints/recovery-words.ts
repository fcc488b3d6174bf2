import type { ListedEndpoint } from '../../api/types.ts';
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
