import { filledText } from './rich-text.tsx';
import { type Components, readParameter } from './template-parameters.ts';

/** A message as a phone shows it, whatever it was written as. */
export interface ShownMessage {
  readonly header: ShownHeader | null;
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly ShownButton[];
  readonly list: ShownList | null;
}

export type ShownHeader =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image' | 'video' | 'document' | 'audio' | 'sticker' | 'location';
      /** Where it is; empty where that is not known. */
      readonly link: string;
      readonly filename: string;
    };

export interface ShownButton {
  readonly kind: 'reply' | 'link' | 'call' | 'copy';
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
const mediaKinds = ['image', 'video', 'document', 'audio', 'sticker'] as const;

const nothing: ShownMessage = { header: null, body: '', footer: null, buttons: [], list: null };

/**
 * Reads a message as it goes to WhatsApp. It may be incomplete: missing parts are empty.
 * @param template what the message names, where it is known.
 */
export function shownMessage(payload: Thing, template?: TemplateLook): ShownMessage {
  const type = textOf(payload.type);
  const content = thingOf(payload[type]);
  if (type === 'interactive') return interactive(content);
  if (type === 'text') return { ...nothing, body: textOf(content.body) };
  if (type === 'template') return templated(content, template);
  const kind = mediaKinds.find((each) => each === type);
  if (!kind) return { ...nothing, body: type };
  return { ...nothing, header: mediaHeader(kind, content), body: textOf(content.caption) };
}

function mediaHeader(kind: (typeof mediaKinds)[number], media: Thing): ShownHeader {
  return { kind, link: textOf(media.link), filename: textOf(media.filename) };
}

function interactive(content: Thing): ShownMessage {
  const header = thingOf(content.header);
  const kind = mediaKinds.find((each) => each === header.type);
  const action = thingOf(content.action);
  const text = textOf(header.text);
  return {
    header: kind
      ? mediaHeader(kind, thingOf(header[kind]))
      : text === ''
        ? null
        : { kind: 'text', text },
    body: textOf(thingOf(content.body).text),
    footer: textOf(thingOf(content.footer).text) || null,
    buttons: thingsOf(action.buttons).map(({ reply }) => ({
      kind: 'reply',
      id: textOf(thingOf(reply).id),
      title: textOf(thingOf(reply).title),
    })),
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
  const format = textOf(header?.format).toLowerCase();
  const kind = ([...mediaKinds, 'location'] as const).find((each) => each === format);
  return {
    header: !header
      ? null
      : kind
        ? {
            kind,
            link: readParameter(given, { component: 'header', kind, position: 1 }),
            filename: '',
          }
        : { kind: 'text', text: filled(textOf(header.text), 'header', given) },
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
    list: null,
  };
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
export function summaryOf({ header, body, list }: ShownMessage): string {
  const first = body || (header?.kind === 'text' ? header.text : '');
  return first || (header ? header.kind : (list?.button ?? ''));
}
