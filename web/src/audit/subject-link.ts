import type { LinkProps } from '@tanstack/react-router';
import type { AuditEntry } from '../api/types.ts';

type Subject = Pick<AuditEntry, 'action' | 'subject_type' | 'subject_id'>;

/** The page of what an entry is about; undefined if it has none that the user may open. */
export function subjectLink(
  { action, subject_type: type, subject_id: id }: Subject,
  isOperator: boolean,
): Pick<LinkProps, 'to' | 'params'> | undefined {
  if (id === null || action === 'api_key.deleted') return undefined;
  // The message does not exist yet when the entry is written: its id is the key's.
  if (action === 'message.sent_from_playground') return linksTo(id).api_key;
  return type === 'account' && !isOperator ? undefined : linksTo(id)[type];
}

const linksTo = (id: string): Readonly<Record<string, Pick<LinkProps, 'to' | 'params'>>> => ({
  api_key: { to: '/keys/$keyId', params: { keyId: id } },
  account: { to: '/accounts/$accountId', params: { accountId: id } },
  alert: { to: '/alerts' },
  campaign: { to: '/campaigns/$campaignId', params: { campaignId: id } },
  contact: { to: '/contacts/$contactId', params: { contactId: id } },
  message: { to: '/messages/$messageId', params: { messageId: id } },
  // A mapping stands on the page of its key, whose id the entry has.
  template_mapping: { to: '/keys/$keyId', params: { keyId: id } },
});
