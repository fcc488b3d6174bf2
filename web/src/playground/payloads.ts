/** The kinds of messages that the playground builds. */
export type PlaygroundType = 'list' | 'button';

export type Payload = Record<string, unknown>;

export interface RowForm {
  id: string;
  title: string;
  description: string;
}

export interface SectionForm {
  title: string;
  rows: RowForm[];
}

/** A message as the form and the phone read it; what is not there is empty. */
export interface MessageForm {
  to: string;
  /** The text of the header; a header of another kind stays as it is in the JSON. */
  header: string;
  body: string;
  footer: string;
  reference: string;
  /** The menu button of a list. */
  button: string;
  sections: SectionForm[];
  buttons: { id: string; title: string }[];
}

export const routes: Readonly<Record<PlaygroundType, string>> = {
  list: '/api/v1/external/messages/interactive/list',
  button: '/api/v1/external/messages/interactive/button',
};

export const samples: Readonly<Record<PlaygroundType, Payload>> = {
  list: {
    to: '+14155550123',
    header: 'Your next delivery',
    body: 'Hi Priya, when shall we bring order *#58213*? Pick a slot below.',
    footer: 'Free until 8 pm today',
    button: 'See slots',
    sections: [
      {
        title: 'Tomorrow',
        rows: [
          { id: 'slot_08', title: '08:00 – 10:00', description: 'Quiet morning round' },
          { id: 'slot_11', title: '11:00 – 13:00' },
        ],
      },
      { title: 'Later', rows: [{ id: 'pickup', title: 'I’ll pick it up' }] },
    ],
    reference: 'order-58213',
  },
  button: {
    to: '+14155550123',
    body: 'Your order *#58213* is on its way. We’ll be there around 11:20.',
    footer: 'Fernhill Market',
    buttons: [
      { id: 'track', title: 'Track the van' },
      { id: 'leave', title: 'Leave at the door' },
    ],
    reference: 'order-58213',
  },
};

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const objectsOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);

/** Reads whatever JSON there is; nothing in it has to be right. */
export function readForm(payload: Payload): MessageForm {
  const { header } = payload;
  return {
    to: textOf(payload.to),
    header: isObject(header) ? textOf(header.text) : textOf(header),
    body: textOf(payload.body),
    footer: textOf(payload.footer),
    reference: textOf(payload.reference),
    button: textOf(payload.button),
    sections: objectsOf(payload.sections).map((section) => ({
      title: textOf(section.title),
      rows: objectsOf(section.rows).map((row) => ({
        id: textOf(row.id),
        title: textOf(row.title),
        description: textOf(row.description),
      })),
    })),
    buttons: objectsOf(payload.buttons).map((button) => ({
      id: textOf(button.id),
      title: textOf(button.title),
    })),
  };
}

const given = (name: string, value: string) => (value === '' ? {} : { [name]: value });

/** The payload that a change of the form makes; a media header is kept. */
export function writeForm(type: PlaygroundType, form: MessageForm, before: Payload): Payload {
  const isMedia = isObject(before.header) && before.header.type !== 'text';
  const header =
    type === 'button' && isMedia
      ? { header: before.header }
      : form.header === ''
        ? {}
        : { header: type === 'list' ? form.header : { type: 'text', text: form.header } };
  return {
    to: form.to,
    ...header,
    body: form.body,
    ...given('footer', form.footer),
    ...(type === 'list'
      ? {
          button: form.button,
          sections: form.sections.map((section) => ({
            ...given('title', section.title),
            rows: section.rows.map((row) => ({
              id: row.id,
              title: row.title,
              ...given('description', row.description),
            })),
          })),
        }
      : { buttons: form.buttons }),
    ...given('reference', form.reference),
  };
}

/** The JSON as an object; null when it is none. */
export function parsePayload(text: string): Payload | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export const printed = (payload: unknown) => JSON.stringify(payload, null, 2);
