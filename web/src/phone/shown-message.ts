import { filledText } from './filled-text.ts';
import { type Components, readParameter } from './template-parameters.ts';

/** A message as a phone shows it, whatever it was written as. */
export interface ShownMessage {
  readonly header: ShownHeader | null;
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly ShownButton[];
  readonly list: ShownList | null;
  /** Below it, to swipe through: each is like a message, and has no cards. */
  readonly cards: readonly ShownMessage[];
  /** Whose contact cards it has. */
  readonly people: readonly ShownPerson[];
  readonly reaction: ShownReaction | null;
}

export type ShownHeader =
  | { readonly kind: 'text'; readonly text: string }
  | ShownPlace
  | {
      readonly kind: 'image' | 'video' | 'document' | 'audio' | 'sticker';
      /** Where it is, or the id of an upload; empty where that is not known. */
      readonly link: string;
      readonly filename: string;
    };

export interface ShownPlace {
  readonly kind: 'location';
  /** Where it is, in degrees. */
  readonly spot: string;
  readonly name: string;
  readonly address: string;
}

interface ShownPerson {
  readonly name: string;
  readonly company: string;
  /** The user can write to them. */
  readonly isOnWhatsApp: boolean;
}

interface ShownReaction {
  /** Empty when it is taken back. */
  readonly emoji: string;
  /** The id of the message that it is about. */
  readonly about: string;
}

export interface ShownButton {
  readonly kind: 'reply' | 'link' | 'call' | 'copy' | 'location' | 'contact' | 'flow';
  /** What a tap of a reply button says it was. */
  readonly id: string;
  readonly title: string;
}

export interface ShownList {
  readonly button: string;
  readonly sections: readonly {
    readonly title: string;
    readonly rows: readonly { id: string; title: string; description: string }[];
  }[];
}

/** What a template looks like, as far as a phone needs it. */
export interface TemplateLook {
  readonly components: readonly object[];
}

type Thing = Readonly<Record<string, unknown>>;

const thingOf = (value: unknown): Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Thing) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const thingsOf = (value: unknown): Thing[] => (Array.isArray(value) ? value.map(thingOf) : []);
/** What there is to say of a change to a message that is not here. */
export const changeTexts: Readonly<Record<string, string>> = {
  edit: 'Edited a message',
  revoke: 'Deleted a message',
};
const mediaKinds = ['image', 'video', 'document', 'audio', 'sticker'] as const;

const nothing: ShownMessage = {
  header: null,
  body: '',
  footer: null,
  buttons: [],
  list: null,
  cards: [],
  people: [],
  reaction: null,
};

/**
 * Reads a message as it goes to WhatsApp. It may be incomplete: missing parts are empty.
 * @param template what the message names, where it is known.
 */
export function shownMessage(payload: Thing, template?: TemplateLook): ShownMessage {
  // WhatsApp takes a message without a type as a text.
  const type = textOf(payload.type) || 'text';
  const content = thingOf(payload[type]);
  if (type === 'interactive') return interactive(content);
  if (type === 'text') return { ...nothing, body: textOf(content.body) };
  if (type === 'template') return templated(content, template);
  if (type === 'location') return { ...nothing, header: placeOf(content) };
  if (type === 'contacts') return { ...nothing, people: thingsOf(payload.contacts).map(personOf) };
  if (type === 'reaction') {
    const reaction = { emoji: textOf(content.emoji), about: textOf(content.message_id) };
    return { ...nothing, reaction };
  }
  const kind = mediaKinds.find((each) => each === type);
  if (!kind) return { ...nothing, body: changeTexts[type] ?? type };
  return { ...nothing, header: mediaHeader(kind, content), body: textOf(content.caption) };
}

function mediaHeader(kind: (typeof mediaKinds)[number], media: Thing): ShownHeader {
  // A body for our API has `media_id`, and what goes to WhatsApp its own id.
  const link = [media.link, media.media_id, media.id].map(textOf).find(Boolean) ?? '';
  return { kind, link, filename: textOf(media.filename) };
}

function placeOf({ latitude, longitude, name, address }: Thing): ShownPlace {
  const spot = [latitude, longitude].filter((degrees) => typeof degrees === 'number').join(', ');
  return { kind: 'location', spot, name: textOf(name), address: textOf(address) };
}

function personOf({ name, org, phones }: Thing): ShownPerson {
  return {
    name: textOf(thingOf(name).formatted_name),
    company: textOf(thingOf(org).company),
    isOnWhatsApp: thingsOf(phones).some(({ wa_id: id }) => textOf(id) !== ''),
  };
}

/** The buttons of an action: WhatsApp's own by its name, or those that it lists. */
function buttonsOf(action: Thing): ShownButton[] {
  const parameters = thingOf(action.parameters);
  switch (action.name) {
    case 'cta_url':
      return [{ kind: 'link', id: '', title: textOf(parameters.display_text) }];
    case 'send_location':
      return [{ kind: 'location', id: '', title: 'Send location' }];
    case 'request_contact_info':
      return [{ kind: 'contact', id: '', title: 'Share contact info' }];
    case 'flow':
      return [{ kind: 'flow', id: '', title: textOf(parameters.flow_cta) }];
    default:
      return thingsOf(action.buttons).map(({ reply, quick_reply: quick }) => {
        const { id, title } = thingOf(reply ?? quick);
        return { kind: 'reply', id: textOf(id), title: textOf(title) };
      });
  }
}

function interactive(content: Thing): ShownMessage {
  const header = thingOf(content.header);
  const kind = mediaKinds.find((each) => each === header.type);
  const action = thingOf(content.action);
  const text = textOf(header.text);
  return {
    ...nothing,
    header: kind
      ? mediaHeader(kind, thingOf(header[kind]))
      : text === ''
        ? null
        : { kind: 'text', text },
    body: textOf(thingOf(content.body).text),
    footer: textOf(thingOf(content.footer).text) || null,
    buttons: buttonsOf(action),
    cards: thingsOf(action.cards).map(interactive),
    list:
      content.type === 'list'
        ? {
            button: textOf(action.button),
            sections: thingsOf(action.sections).map((section) => ({
              title: textOf(section.title),
              rows: thingsOf(section.rows).map((row) => ({
                id: textOf(row.id),
                title: textOf(row.title),
                description: textOf(row.description),
              })),
            })),
          }
        : null,
  };
}

const buttonKinds: Readonly<Record<string, ShownButton['kind']>> = {
  URL: 'link',
  OTP: 'copy',
  PHONE_NUMBER: 'call',
  COPY_CODE: 'copy',
  QUICK_REPLY: 'reply',
};

function templated(content: Thing, template?: TemplateLook): ShownMessage {
  if (!template) return { ...nothing, body: `Template ${textOf(content.name)}` };
  const given = (Array.isArray(content.components) ? content.components : []) as Components;
  const parts = template.components.map((part) => thingOf(part));
  const part = (type: string) => parts.find((each) => each.type === type);
  const header = part('HEADER');
  return {
    ...nothing,
    header: header ? templateHeader(header, given) : null,
    body: filled(textOf(part('BODY')?.text), 'body', given),
    footer: textOf(part('FOOTER')?.text) || null,
    buttons: thingsOf(part('BUTTONS')?.buttons).map((button, index) => {
      const buttonKind = buttonKinds[textOf(button.type)] ?? 'reply';
      const title = textOf(button.text);
      const place = { component: 'button', kind: 'payload', position: 1, button_index: index };
      return {
        kind: buttonKind,
        id: (buttonKind === 'reply' && readParameter(given, place)) || title,
        title,
      };
    }),
  };
}

function templateHeader(header: Thing, given: Components): ShownHeader {
  const format = textOf(header.format).toLowerCase();
  if (format === 'location') return placeOf({});
  const kind = mediaKinds.find((each) => each === format);
  if (!kind) return { kind: 'text', text: filled(textOf(header.text), 'header', given) };
  const link = readParameter(given, { component: 'header', kind, position: 1 });
  return { kind, link, filename: '' };
}

/** The text with its variables in place; those without a value keep their braces. */
function filled(text: string, component: string, given: Components): string {
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (braces, name: string) => {
    const isNumber = /^\d+$/.test(name);
    const value = readParameter(given, {
      component,
      kind: 'text',
      position: isNumber ? Number(name) : 1,
      parameter_name: isNumber ? null : name,
    });
    return filledText(value, braces);
  });
}

/** One line that says what the message is. */
export function summaryOf({ header, body, list, people, reaction }: ShownMessage): string {
  if (reaction) return reaction.emoji ? `Reacted ${reaction.emoji}` : 'Took a reaction back';
  if (people.length > 0) return peopleText(people);
  const first = body || (header?.kind === 'text' ? header.text : '');
  const place = header?.kind === 'location' ? header.name || header.address : '';
  return first || place || (header ? header.kind : (list?.button ?? ''));
}

/** `Mia Jung and 2 others`. */
export function peopleText([first, ...others]: ShownMessage['people']): string {
  const name = first?.name || 'Contact';
  if (others.length === 0) return name;
  return `${name} and ${others.length} ${others.length === 1 ? 'other' : 'others'}`;
}
