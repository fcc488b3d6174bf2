import { describe, expect, it } from '@jest/globals';
import { jobLink } from './job-link.ts';

const link = (name: string, filter?: object, type = 'job') =>
  jobLink({ subject_type: type, subject_name: name, details: filter ? { filter } : {} });

describe('the list of a job', () => {
  it('is the one that it was started from, with its filter', () => {
    expect(link('redeliver', { status: 'waiting', endpoint_id: 'e' })).toEqual({
      to: '/webhooks',
      search: { status: 'waiting', endpoint: 'e' },
    });
    expect(link('resend', { status: 'failed' })).toEqual({
      to: '/messages',
      search: { status: 'failed' },
    });
  });

  it('is none where it cannot show that, and of what is no job', () => {
    expect(link('redeliver', { phone: '+14155550100' })).toBeUndefined();
    expect(link('redeliver')).toBeUndefined();
    expect(link('later', {})).toBeUndefined();
    expect(link('redeliver', {}, 'api_key')).toBeUndefined();
  });
});
