import {
  IconAlertTriangle,
  IconPlayerPause,
  IconPointFilled,
  IconSnowflake,
  IconToggleLeft,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Account } from '../api/types.ts';
import { Badge, type Look } from '../parts/status-badge.tsx';
import { numberCheckQuery, templateSyncsQuery } from './account-queries.ts';
import { type AccountWord, accountWord } from './account-word.ts';

const looks: Readonly<Record<AccountWord, Look>> = {
  Inactive: { tone: 'gray', icon: IconToggleLeft },
  Paused: { tone: 'amber', icon: IconPlayerPause },
  Throttled: { tone: 'amber', icon: IconSnowflake },
  'Token refused': { tone: 'red', icon: IconAlertTriangle },
  Active: { tone: 'green', icon: IconPointFilled },
};

/** Whether an account's keys can send right now. */
export function AccountState({ account }: { account: Account }) {
  const syncs = useQuery(templateSyncsQuery).data ?? [];
  const checked = useQuery(numberCheckQuery(account.id)).data;
  const word = accountWord(account, syncs, checked);
  return <Badge look={looks[word]} word={word} />;
}
