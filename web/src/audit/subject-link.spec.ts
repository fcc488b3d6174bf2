import { describe, expect, it } from '@jest/globals';
import { subjectLink } from './subject-link.ts';

const link = (action: string, isOperator = true, id: string | null = 'id') =>
  subjectLink({ action, subject_type: action.split('.')[0] ?? '', subject_id: id }, isOperator);

describe('the link of an entry of the audit log', () => {
  it.each([
    ['api_key.created', '/keys/$keyId'],
    ['account.updated', '/accounts/$accountId'],
    ['contact.updated', '/contacts/$contactId'],
    ['message.resent', '/messages/$messageId'],
    ['campaign.started', '/campaigns/$campaignId'],
    ['alert.resolved', '/alerts'],
    // Its subject is the key of the mapping.
    ['template_mapping.saved', '/keys/$keyId'],
    // Its subject is the key that it was sent with.
    ['message.sent_from_playground', '/keys/$keyId'],
  ])('of %s leads to %s', (action, to) => {
    expect(link(action)?.to).toBe(to);
  });

  it.each(['api_key.deleted', 'user.created', 'job.started'])('is none of %s', (action) => {
    expect(link(action)).toBeUndefined();
  });

  it('is none without an id, and none to an account for those who are no operators', () => {
    expect(link('message.resent', true, null)).toBeUndefined();
    expect(link('account.updated', false)).toBeUndefined();
  });
});
