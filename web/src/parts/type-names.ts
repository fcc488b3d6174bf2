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

export const isKnownType = (type: string): type is TypeName => Object.hasOwn(typeNames, type);

/** In words. What came in the form of WhatsApp's own API may have a type that Parley does not know. */
export const typeNameOf = (type: string): string =>
  isKnownType(type) ? typeNames[type] : `WhatsApp’s ${type.replace(/^graph:/, '')}`;
