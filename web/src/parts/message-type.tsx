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
import { isKnownType, typeNameOf } from './type-names.ts';

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

/** What kind of message it is. */
export function MessageType({ type }: { type: string }) {
  const Sign = isKnownType(type) ? typeSigns[type] : IconMessage;
  return (
    <span className="row">
      <Sign size={16} stroke={1.65} color="var(--text-3)" aria-hidden="true" />
      {typeNameOf(type)}
    </span>
  );
}
