import { contactName } from '../parts/contact-name.ts';

/** Who wrote the message that an event tells of. */
export interface Sender {
  readonly contactId: string;
  readonly name: string;
}

/** The contact whose message an event is; null for other events, and where the event names no contact. */
export function senderOf(event: string, body: string): Sender | null {
  if (event !== 'message.received') return null;
  const { data } = JSON.parse(body) as { data?: Readonly<Record<string, unknown>> };
  const text = (field: string) => {
    const value = data?.[field];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const contactId = text('contact_id');
  if (contactId === null) return null;
  const name = contactName({
    name: text('from_name'),
    username: text('from_username'),
    phone: text('from'),
    user_id: text('from_user_id'),
  });
  return { contactId, name };
}
