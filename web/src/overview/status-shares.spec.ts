import { describe, expect, it } from '@jest/globals';
import { messageStatuses } from '../../../src/messages/rows/message-status.ts';
import { statusShares } from './status-shares.ts';

describe('messages by status', () => {
  it('are all there: each status has a line', () => {
    const counts = Object.fromEntries(messageStatuses.map((status) => [status, 2]));
    const shares = statusShares(counts);
    expect(shares.map(({ status }) => status).toSorted()).toEqual([...messageStatuses].toSorted());
    expect(shares.map(({ count }) => count)).toEqual(messageStatuses.map(() => 2));
  });

  it('have no line for what is rare and is not there', () => {
    expect(statusShares({}).map(({ status }) => status)).toEqual([
      'read',
      'delivered',
      'sent',
      'failed',
      'unconfirmed',
      'sending',
      'queued',
    ]);
  });
});
