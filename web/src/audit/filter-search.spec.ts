import { describe, expect, it } from '@jest/globals';
import { filterSearch } from './filter-search.ts';

describe('the list of what a job was about', () => {
  it('has the filters of the job, as its address calls them', () => {
    const filter = { account_id: 'a', endpoint_id: 'e', key_id: 'k', status: 'failed' };
    expect(filterSearch('redeliver', filter)).toEqual({
      account: 'a',
      endpoint: 'e',
      key: 'k',
      status: 'failed',
    });
    const messages = {
      created_after: '2026-11-28T10:00:00Z',
      error_code: 131_026,
      resent: 'false',
    };
    expect(filterSearch('resend', messages)).toEqual({
      from: '2026-11-28T10:00:00Z',
      code: '131026',
      resent: 'no',
    });
  });

  it('is none where the list has no such filter', () => {
    expect(filterSearch('cancel', { reference: 'order-1' })).toBeNull();
  });
});
