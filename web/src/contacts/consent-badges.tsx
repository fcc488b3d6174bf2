import { IconBan, IconCheck, IconMinus } from '@tabler/icons-react';
import type { ConsentScope, ConsentState } from '../api/types.ts';
import { Badge } from '../parts/status-badge.tsx';
import { stateWords } from './consent-words.ts';

/** What a contact does not get. */
export function OptedOutBadge({ scope }: { scope: ConsentScope }) {
  const word = scope === 'all' ? 'No templates' : 'No marketing';
  return <Badge look={{ tone: 'red', icon: IconBan }} word={word} />;
}

/** What a contact said in one scope. */
export function ConsentBadge({ state }: { state: ConsentState | null }) {
  if (state === null) return <Badge look={{ tone: 'gray', icon: IconMinus }} word="Nothing said" />;
  return state === 'opted_in' ? (
    <Badge look={{ tone: 'green', icon: IconCheck }} word={stateWords[state]} />
  ) : (
    <Badge look={{ tone: 'red', icon: IconBan }} word={stateWords[state]} />
  );
}
