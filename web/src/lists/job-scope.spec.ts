import { describe, expect, it } from '@jest/globals';
import { jobScope } from './job-scope.ts';

const names = {
  endpoint: (id: string) => (id === 'e' ? 'Stock' : undefined),
  key: (id: string) => (id === 'k' ? 'shop' : undefined),
};

describe('what a job was narrowed to', () => {
  it.each([
    ['redeliver', { endpoint_id: 'e', status: 'failed' }, 'to Stock, Failed'],
    [
      'redeliver',
      { key_id: 'k', event: 'message.status' },
      'to all endpoints, key shop, message.status',
    ],
    ['redeliver', { endpoint_id: 'gone', key_id: 'gone' }, 'to one endpoint, key deleted'],
    [
      'cancel',
      { status: 'queued,scheduled', q: 'Mia', mode: 'test' },
      'Queued or Scheduled, “Mia”, Test',
    ],
    ['resend', { status: 'failed', error_code: 131_026 }, 'Failed, failed with 131026'],
  ] as const)('is in words: %s %j', (kind, filter, words) => {
    expect(jobScope({ kind, filter }, names)).toBe(words);
  });
});
