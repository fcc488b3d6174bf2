import type { Contact } from '../api/types.ts';

/** A username as people write it. */
export const atName = (username: string) => (username.startsWith('@') ? username : `@${username}`);

/** What people call a contact: the name, or what WhatsApp tells instead. */
export const contactName = ({
  name,
  username,
  phone,
  user_id,
}: Pick<Contact, 'name' | 'username' | 'phone' | 'user_id'>): string =>
  name ?? (username === null ? null : atName(username)) ?? phone ?? user_id ?? 'Unknown contact';
