/** The kinds of messages that the playground builds. */
export const playgroundTypes = [
  'list',
  'button',
  'text',
  'media',
  'template',
  'template_send',
] as const;

export type PlaygroundType = (typeof playgroundTypes)[number];

export type Payload = Readonly<Record<string, unknown>>;

/** The way to a value in a payload. */
export type Path = readonly (string | number)[];

export const routes: Readonly<Record<PlaygroundType, string>> = {
  list: '/api/v1/external/messages/interactive/list',
  button: '/api/v1/external/messages/interactive/button',
  text: '/api/v1/external/messages/text',
  media: '/api/v1/external/messages/media',
  template: '/api/v1/external/messages/template',
  template_send: '/api/v1/external/messages/template/send',
};

/** The fields of each body in the order in which people read them. */
const fieldOrder: Readonly<Record<PlaygroundType, readonly string[]>> = {
  list: ['to', 'to_user_id', 'header', 'body', 'footer', 'button', 'sections', 'reference'],
  button: ['to', 'to_user_id', 'header', 'body', 'footer', 'buttons', 'reference'],
  text: ['to', 'to_user_id', 'body', 'preview_url', 'reply_to', 'reference'],
  media: ['to', 'to_user_id', 'type', 'link', 'filename', 'caption', 'reply_to', 'reference'],
  template: ['to', 'to_user_id', 'template_name', 'language', 'components', 'reference'],
  template_send: ['to', 'to_user_id', 'template_name', 'language', 'variables', 'reference'],
};

export const samples: Readonly<Record<PlaygroundType, Payload>> = {
  list: {
    to: '+14155550123',
    header: 'Your next delivery',
    body: 'Hi Priya, when should we deliver order *#58213*? Pick a slot below, or answer with a time that suits you.',
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
      {
        title: 'Later',
        rows: [{ id: 'pickup', title: 'I’ll pick it up', description: 'At the shop, from 9 am' }],
      },
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
  text: {
    to: '+14155550123',
    body: 'Thanks, we have informed the driver. You can follow the van here: https://example.com/van/58213',
    preview_url: true,
    reference: 'ticket-7741',
  },
  media: {
    to: '+14155550123',
    type: 'document',
    link: 'https://example.com/invoices/58199.pdf',
    filename: 'invoice-58199.pdf',
    caption: 'Your invoice for order #58199.',
    reference: 'invoice-58199',
  },
  template: { to: '+14155550123', template_name: '', language: '' },
  template_send: { to: '+14155550123', template_name: '', language: '', variables: {} },
};

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path; undefined when there is none. */
export function valueAt(payload: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      isObject(value) || Array.isArray(value)
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    payload,
  );
}

/** The text at a path; any other value counts as none. */
export function textAt(payload: unknown, path: Path): string {
  const value = valueAt(payload, path);
  return typeof value === 'string' ? value : '';
}

/** The list of objects at a path. */
export function objectsAt(payload: unknown, path: Path): Payload[] {
  const value = valueAt(payload, path);
  return Array.isArray(value) ? value.map((each) => (isObject(each) ? each : {})) : [];
}

/** The payload with another value at a path; undefined takes the field away. */
export function changed(
  type: PlaygroundType,
  payload: Payload,
  path: Path,
  value: unknown,
): Payload {
  const next = replaced(payload, path, value) as Payload;
  const order = fieldOrder[type];
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(
    Object.entries(next).toSorted(([one], [other]) => place(one) - place(other)),
  );
}

/** A template message that is filled the other way from now on; what filled it before is kept for the same template. */
export function filledOtherwise(payload: Payload, before: Payload): Payload {
  const { to, template_name, language, reference } = payload;
  const { components, variables } = before;
  const isSame = before.template_name === template_name && before.language === language;
  return {
    to,
    template_name,
    language,
    ...(components !== undefined && isSame && { components }),
    ...(variables !== undefined && { variables: isSame ? variables : {} }),
    ...(reference !== undefined && { reference }),
  };
}

function replaced(value: unknown, path: Path, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...(value as unknown[])] : [];
    list[step] = replaced(list[step], rest, next);
    return list;
  }
  const object = isObject(value) ? value : {};
  const changedField = replaced(object[step], rest, next);
  if (changedField !== undefined) return { ...object, [step]: changedField };
  const { [step]: _, ...others } = object;
  return others;
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

/** `sections[0].rows[1].title`, as the API writes it. */
export const pathText = (path: Path) =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`,
    '',
  );
