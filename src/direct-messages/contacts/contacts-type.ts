import { freeFormType } from '../../free-form/free-form-type.js';
import { type ContactCardDto, ContactsMessageDto } from './contacts-message.dto.js';

/** Contact cards. */
export const contactsType = freeFormType<ContactsMessageDto>({
  type: 'contacts',
  path: 'contacts',
  permission: 'send_text',
  summary: 'Sends contact cards.',
  dto: ContactsMessageDto,
  content: ({ contacts }) => ({ type: 'contacts', contacts: withoutNull(contacts) }),
  warnings: ({ contacts }) =>
    contacts.flatMap(({ name }, index) =>
      hasOnePart(name)
        ? []
        : [
            `contacts[${index}].name: WhatsApp requires a first or last name, or another part, beside formatted_name.`,
          ],
    ),
});

function hasOnePart(name: ContactCardDto['name']): boolean {
  return Object.entries(name).some(([part, text]) => part !== 'formatted_name' && text);
}

/** WhatsApp takes no null. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      field === null || field === undefined ? [] : [[name, withoutNull(field)]],
    ),
  );
}
