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
  edit: ({ message }) => saidIn(thingOf(message)),
};

/** What a person reads first of a message. */
function saidIn({ type, ...contents }: Thing): unknown {
  return typeof type === 'string' ? readers[type]?.(thingOf(contents[type])) : undefined;
}

const maxLength = 200;

/**
 * A short summary of an event: the status of a message; what a user wrote or tapped, or else
 * the type of their message; what has changed about a contact. Null for a test.
 * @param body as it is posted.
 */
export function eventSummary(body: string): string | null {
  const said = JSON.parse(body) as unknown;
  const value = whatsappValue(said);
  const { status, change, message } = value
    ? { ...firstOf(value.statuses), message: messageIn(value) }
    : thingOf(thingOf(said).data);
  if (typeof status === 'string') return status;
  if (typeof change === 'string') return change;
  const { type } = thingOf(message);
  if (typeof type !== 'string') return null;
  const text = saidIn(thingOf(message));
  return typeof text === 'string' && text !== '' ? text.slice(0, maxLength).toWellFormed() : type;
}

/** What a body in WhatsApp's own form says: the value of its one change; null for another body. */
function whatsappValue(body: unknown): Thing | null {
  const { entry } = thingOf(body);
  return Array.isArray(entry) ? thingOf(firstOf(firstOf(entry).changes).value) : null;
}

const firstOf = (list: unknown): Thing => thingOf(Array.isArray(list) ? list[0] : undefined);

const messageIn = ({ messages, message_echoes }: Thing) => firstOf(messages ?? message_echoes);

/**
 * The end user that an event is about, as a person reads it: their number, or else their user id. Null for a test.
 * @param body as it is posted.
 */
export function eventUser(body: string): string | null {
  const said = JSON.parse(body) as unknown;
  const value = whatsappValue(said);
  if (value) return whatsappUser(value);
  const { event, data } = thingOf(said);
  const about = thingOf(data);
  const { from, from_user_id, to, to_user_id, phone, user_id } = about;
  const current = thingOf(about.current);
  const named =
    event === 'message.received' || event === 'message.standby'
      ? [from, from_user_id]
      : [to, to_user_id, phone, user_id, current.phone, current.user_id];
  return named.find((one) => typeof one === 'string') ?? null;
}

/** WhatsApp writes numbers without `+`. */
function whatsappUser(value: Thing): string | null {
  const [message, echo, status] = [value.messages, value.message_echoes, value.statuses].map(
    firstOf,
  );
  const numbers = [message?.from, echo?.to, status?.recipient_id];
  const number = numbers.find((one) => typeof one === 'string' && /^\d{1,15}$/.test(one));
  if (typeof number === 'string') return `+${number}`;
  const ids = [message?.from_user_id, echo?.to_user_id, status?.recipient_user_id];
  return ids.find((one) => typeof one === 'string') ?? null;
}
