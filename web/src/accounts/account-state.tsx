import {
  IconPlayerPause,
  IconPointFilled,
  IconSnowflake,
  IconToggleLeft,
} from '@tabler/icons-react';
import type { Account } from '../api/types.ts';
import { Badge } from '../parts/status-badge.tsx';

/** Whether an account's keys can send right now. */
export function AccountState({ account }: { account: Pick<Account, 'active' | 'hold_kind'> }) {
  if (!account.active)
    return <Badge look={{ tone: 'gray', icon: IconToggleLeft }} word="Inactive" />;
  if (account.hold_kind === 'paused') {
    return <Badge look={{ tone: 'amber', icon: IconPlayerPause }} word="Paused" />;
  }
  if (account.hold_kind === 'throttled') {
    return <Badge look={{ tone: 'amber', icon: IconSnowflake }} word="Throttled" />;
  }
  return <Badge look={{ tone: 'green', icon: IconPointFilled }} word="Active" />;
}
