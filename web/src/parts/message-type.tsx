import {
  type Icon,
  IconAddressBook,
  IconCarouselHorizontal,
  IconExternalLink,
  IconForms,
  IconHandClick,
  IconListDetails,
  IconMapPin,
  IconMapPinQuestion,
  IconMessage,
  IconMoodSmile,
  IconPaperclip,
  IconTemplate,
} from '@tabler/icons-react';
import type { KnownMessageType as TypeName } from '../api/types.ts';

export const typeNames: Readonly<Record<TypeName, string>> = {
  list: 'List',
  button: 'Buttons',
  cta_url: 'Link button',
  location_request: 'Location request',
  contact_request: 'Contact request',
  flow: 'Flow',
  carousel: 'Carousel',
  text: 'Text',
  media: 'Media',
  location: 'Location',
  contacts: 'Contacts',
  reaction: 'Reaction',
  template: 'Template',
};

export const typeSigns: Readonly<Record<TypeName, Icon>> = {
  list: IconListDetails,
  button: IconHandClick,
  cta_url: IconExternalLink,
  location_request: IconMapPinQuestion,
  contact_request: IconAddressBook,
  flow: IconForms,
  carousel: IconCarouselHorizontal,
  text: IconMessage,
  media: IconPaperclip,
  location: IconMapPin,
  contacts: IconAddressBook,
  reaction: IconMoodSmile,
  template: IconTemplate,
};

const isKnown = (type: string): type is TypeName => Object.hasOwn(typeNames, type);

/** In words. What came in the form of WhatsApp's own API may have a type that Parley does not know. */
export const typeNameOf = (type: string): string =>
  isKnown(type) ? typeNames[type] : `WhatsApp’s ${type.replace(/^graph:/, '')}`;

/** What kind of message it is. */
export function MessageType({ type }: { type: string }) {
  const Sign = isKnown(type) ? typeSigns[type] : IconMessage;
  return (
    <span className="row">
      <Sign size={16} stroke={1.65} color="var(--text-3)" aria-hidden="true" />
      {typeNameOf(type)}
    </span>
  );
}
