type Thing = Readonly<Record<string, unknown>>;

const thingOf = (value: unknown): Thing =>
  typeof value === 'object' && value !== null ? (value as Thing) : {};

/** Where each type of message keeps what a person reads first. */
const readers: Readonly<Record<string, (content: Thing) => unknown>> = {
  text: ({ body }) => body,
  button: ({ text }) => text,
  interactive: ({ list_reply }) => thingOf(list_reply).title,
  reaction: ({ emoji }) => emoji,
  location: ({ name, address }) => name ?? address,
  order: ({ text }) => text,
  document: ({ caption, filename }) => caption ?? filename,
  image: ({ caption }) => caption,
  video: ({ caption }) => caption,
};

const maxLength = 200;

/**
 * A short summary of an event: the status of a message; what a user wrote or tapped, or else
 * the type of their message; what has changed about a contact. Null for a test.
 * @param body as it is posted.
 */
export function eventSummary(body: string): string | null {
  const { data } = thingOf(JSON.parse(body));
  const { status, change, message } = thingOf(data);
  if (typeof status === 'string') return status;
  if (typeof change === 'string') return change;
  const { type, ...contents } = thingOf(message);
  if (typeof type !== 'string') return null;
  const said = readers[type]?.(thingOf(contents[type]));
  return typeof said === 'string' && said !== '' ? said.slice(0, maxLength).toWellFormed() : type;
}

/**
 * The end user that an event is about, as a person reads it: their number, or else their user id. Null for a test.
 * @param body as it is posted.
 */
export function eventUser(body: string): string | null {
  const { event, data } = thingOf(JSON.parse(body));
  const about = thingOf(data);
  const { from, from_user_id, to, to_user_id, phone, user_id } = about;
  const current = thingOf(about.current);
  const named =
    event === 'message.received'
      ? [from, from_user_id]
      : [to, to_user_id, phone, user_id, current.phone, current.user_id];
  return named.find((one) => typeof one === 'string') ?? null;
}
