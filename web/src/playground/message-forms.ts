import type { ComponentType } from 'react';
import { CarouselFields } from './carousel-fields.tsx';
import { ContactsFields } from './contacts-fields.tsx';
import { LocationFields, MediaFields, ReactionFields, TextFields } from './direct-fields.tsx';
import {
  ButtonFields,
  CtaUrlFields,
  FlowFields,
  ListFields,
  RequestFields,
} from './interactive-fields.tsx';
import type { FormProps } from './payload-field.tsx';
import type { PlaygroundType } from './playground-types.ts';

/** The form of each type of message; those of templates need more than the message. */
export const messageForms: Readonly<
  Record<Exclude<PlaygroundType, 'template' | 'template_send'>, ComponentType<{ form: FormProps }>>
> = {
  list: ListFields,
  button: ButtonFields,
  cta_url: CtaUrlFields,
  location_request: RequestFields,
  contact_request: RequestFields,
  flow: FlowFields,
  carousel: CarouselFields,
  text: TextFields,
  media: MediaFields,
  location: LocationFields,
  contacts: ContactsFields,
  reaction: ReactionFields,
};
