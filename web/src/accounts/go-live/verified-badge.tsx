import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import type { Account } from '../../api/types.ts';
import { Badge, type Look } from '../../parts/status-badge.tsx';

const verified: Look = { tone: 'green', icon: IconCircleCheck };
const notVerified: Look = { tone: 'gray', icon: IconCircleDashed };

/** Whether token, number and callback of an account have ever held together. */
export function VerifiedBadge({ account }: { account: Pick<Account, 'verified_at'> }) {
  return account.verified_at ? (
    <Badge look={verified} word="Verified" />
  ) : (
    <Badge look={notVerified} word="Not verified" />
  );
}
