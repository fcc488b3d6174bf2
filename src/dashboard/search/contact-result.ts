import type { FoundContact } from '../../contacts/search/contact-search.js';
import type { SearchResultDto } from './search.dto.js';
import type { SearchScope } from './search-scope.js';

/** A contact as the search shows it. */
export function contactResult(contact: FoundContact, scope: SearchScope): SearchResultDto {
  const { id, accountId, mode, phone, userId, username, name } = contact;
  const [title = 'Unknown contact', ...others] = [
    name,
    username && `@${username.replace(/^@/, '')}`,
    phone,
    userId,
  ].filter((each) => each !== null);
  const subtitle = scope.subtitle(accountId, ...others, 'Contact');
  const href = `/dashboard/contacts/${id}`;
  return { kind: 'contact', id, title, subtitle, mode, at: null, href };
}
