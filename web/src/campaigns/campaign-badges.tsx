import {
  IconCheck,
  IconCircleDashed,
  IconLoader2,
  IconPencil,
  IconPlayerPause,
  IconPlayerSkipForward,
} from '@tabler/icons-react';
import type { Campaign, CampaignRecipient } from '../api/types.ts';
import { Badge, type Look, statusLooks, wordOf } from '../parts/status-badge.tsx';

const campaignLooks: Readonly<Record<Campaign['status'], Look>> = {
  draft: { tone: 'gray', icon: IconPencil },
  scheduled: statusLooks.scheduled,
  running: { tone: 'blue', icon: IconLoader2, isTurning: true },
  paused: { tone: 'amber', icon: IconPlayerPause },
  completed: { tone: 'green', icon: IconCheck },
  cancelled: statusLooks.cancelled,
};

const recipientLooks: Readonly<Record<CampaignRecipient['status'], Look>> = {
  ...statusLooks,
  released: { tone: 'gray', icon: IconCircleDashed },
  skipped: { tone: 'amber', icon: IconPlayerSkipForward },
};

/** The status of a campaign. */
export const CampaignBadge = ({ status }: Pick<Campaign, 'status'>) => (
  <Badge look={campaignLooks[status]} word={wordOf(status)} />
);

/** What became of a recipient. */
export const RecipientBadge = ({ status }: Pick<CampaignRecipient, 'status'>) => (
  <Badge look={recipientLooks[status]} word={wordOf(status)} />
);
