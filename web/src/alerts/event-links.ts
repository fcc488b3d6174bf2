import type { ListedEndpoint } from '../api/types.ts';
import { missedWords, waitingWords } from '../deliveries/endpoints/strip-words.ts';
import type { MatterLink } from './matters.ts';

interface EventLink extends MatterLink {
  /** The name changes with the time. */
  readonly id: string;
}

/**
 * Each opens exactly what it counts. What was delivered is not listed: somebody may redeliver all that is. Nor is what
 * failed long before the trouble began.
 */
export function eventLinks(figures: ListedEndpoint): EventLink[] {
  const { endpoint_id: endpoint, missed_since: from } = figures;
  const waiting = waitingWords(figures);
  const missed = missedWords(figures);
  const linkTo = (status: string, name: string, since?: string): EventLink => ({
    id: status,
    name,
    to: '/webhooks',
    search: { endpoint, status, ...(since && { from: since }) },
  });
  return [
    ...(waiting ? [linkTo('waiting', waiting)] : []),
    ...(missed ? [linkTo('failed', `${missed} failed for good`, from)] : []),
  ];
}
