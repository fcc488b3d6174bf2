import {
  type MessageStatus,
  messageStatuses,
  type ReportedStatus,
  statusAfterAttempt,
  statusAfterReport,
} from './message-status.js';

describe('the status of a message after a platform report', () => {
  it.each<[MessageStatus, ReportedStatus, MessageStatus | null]>([
    ['queued', 'sent', 'sent'],
    ['sending', 'delivered', 'delivered'],
    ['unconfirmed', 'sent', 'sent'],
    ['unconfirmed', 'failed', 'failed'],
    ['sent', 'sent', null],
    ['sent', 'read', 'read'],
    ['sent', 'failed', 'failed'],
    ['delivered', 'sent', null],
    ['delivered', 'failed', null],
    ['read', 'delivered', null],
    ['failed', 'sent', null],
    ['failed', 'failed', null],
    ['failed', 'delivered', 'delivered'],
    ['failed', 'read', 'read'],
  ])('%s, reported %s: %s', (current, report, expected) => {
    expect(statusAfterReport(current, report)).toBe(expected);
  });
});

describe('the status of a message after an attempt', () => {
  it.each(['sent', 'failed', 'queued', 'unconfirmed'] as const)(
    'follows the result while it is sending: %s',
    (settled) => {
      expect(statusAfterAttempt('sending', settled)).toBe(settled);
    },
  );

  it('takes a late proof, and never sends again after the lease was over', () => {
    expect(statusAfterAttempt('unconfirmed', 'sent')).toBe('sent');
    expect(statusAfterAttempt('unconfirmed', 'failed')).toBe('failed');
    expect(statusAfterAttempt('unconfirmed', 'queued')).toBe('failed');
  });

  it.each(messageStatuses.filter((status) => status !== 'sending' && status !== 'unconfirmed'))(
    'leaves %s as the platform or an operator made it',
    (current) => {
      expect(statusAfterAttempt(current, 'failed')).toBe(current);
    },
  );
});
