import type { ChecklistItem } from '../../api/types.ts';

type Titles = Readonly<Record<ChecklistItem['state'], string>>;

const titles: Readonly<Record<ChecklistItem['id'], Titles>> = {
  token: {
    done: 'Access token accepted',
    missing: 'Access token missing',
    failed: 'Access token not accepted',
    unknown: 'Access token not checked',
  },
  number: {
    done: 'Number registered',
    missing: 'Number not registered',
    failed: 'Number cannot send',
    unknown: 'Number not checked',
  },
  callback: {
    done: 'Callback URL and verify token confirmed',
    missing: 'Callback URL and verify token not confirmed',
    failed: 'Callback URL and verify token not accepted',
    unknown: 'Callback URL and verify token not checked',
  },
  subscription: {
    done: 'App subscribed to the business account',
    missing: 'App not subscribed to the business account',
    failed: 'Business account not found',
    unknown: 'Subscription of the app not checked',
  },
  webhook: {
    done: 'Webhooks from Meta arrive',
    missing: 'No webhook from Meta yet',
    failed: 'Webhooks from Meta fail',
    unknown: 'Webhooks from Meta not checked',
  },
  payment: {
    done: 'Payment method',
    missing: 'No payment method',
    failed: 'Payment method not accepted',
    unknown: 'Payment method not checked',
  },
  graph_version: {
    done: 'Version of the Graph API known',
    missing: 'Version of the Graph API missing',
    failed: 'Version of the Graph API not accepted',
    unknown: 'Version of the Graph API not known',
  },
  test_message: {
    done: 'Live message accepted',
    missing: 'Test message to your phone',
    failed: 'Test message not accepted',
    unknown: 'Test message not checked',
  },
};

/** What a row of the checklist says in its state. */
export const titleOf = ({ id, state }: Pick<ChecklistItem, 'id' | 'state'>) => titles[id][state];

const isDone = ({ state }: Pick<ChecklistItem, 'state'>) => state === 'done';

export const countDone = (items: readonly Pick<ChecklistItem, 'state'>[]) =>
  items.filter(isDone).length;

/** Whether something is still to do. What WhatsApp does not say may be done. */
export const isNotLive = (items: readonly Pick<ChecklistItem, 'state'>[]) =>
  items.some(({ state }) => state === 'missing' || state === 'failed');

/** A secret as it is shown until the reader asks for it: its last four characters, if it is long. */
export const hiddenSecret = (secret: string) =>
  `${'•'.repeat(12)}${secret.length < 12 ? '' : secret.slice(-4)}`;
