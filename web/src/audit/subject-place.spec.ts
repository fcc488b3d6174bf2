import { describe, expect, it } from '@jest/globals';
import { subjectPlace } from './subject-place.ts';

type Entry = Parameters<typeof subjectPlace>[0];

const entry = (change: Partial<Entry>): Entry => ({
  action: 'api_key.endpoint_created',
  subject_type: 'api_key',
  subject_name: 'shop',
  details: {},
  endpoint: null,
  ...change,
});

const stock = { id: 'e', name: 'Stock', url: 'https://crm.example/hooks/?token=t' };

describe('what tells entries of the audit log apart', () => {
  it.each<[string, Partial<Entry>, string | null]>([
    ['the endpoint', { endpoint: stock }, 'Stock · crm.example/hooks'],
    [
      'the address that it had',
      { endpoint: { ...stock, url: null }, details: { name: 'Stock', url: 'https://old.example' } },
      'Stock · old.example',
    ],
    [
      'the address of the key’s own',
      { endpoint: { ...stock, name: 'default' } },
      'crm.example/hooks',
    ],
    [
      'that it is gone',
      { endpoint: { id: 'e', name: 'default', url: null } },
      'a deleted endpoint',
    ],
    ['nothing of a key', { action: 'api_key.created', details: { name: 'shop' } }, null],
    [
      'the language of a mapping',
      {
        action: 'template_mapping.saved',
        subject_type: 'template_mapping',
        details: { language: 'en_US' },
      },
      'en_US',
    ],
    [
      'how many a job was about, and where',
      {
        action: 'job.started',
        subject_type: 'job',
        subject_name: 'redeliver',
        details: { total: 1_174 },
        endpoint: stock,
      },
      '1,174 events · Stock · crm.example/hooks',
    ],
  ])('is %s', (_, change, words) => {
    expect(subjectPlace(entry(change))).toBe(words);
  });
});
