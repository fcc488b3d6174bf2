type Thing = Readonly<Record<string, unknown>>;

const thingOf = (value: unknown): Thing =>
  typeof value === 'object' && value !== null ? (value as Thing) : {};

/** What a user's message says, in one line: the title of what was tapped, or the text. */
export function replyText(message: Thing): string {
  const type = typeof message.type === 'string' ? message.type : '';
  const content = thingOf(message[type]);
  const reply = thingOf(content.button_reply ?? content.list_reply);
  const said = [reply.title, content.body, content.text, content.caption].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return typeof said === 'string' ? said : type;
}

/** The id of the message that a user's message answers; null when it answers none. */
export function answeredId(message: Thing): string | null {
  const { id } = thingOf(message.context);
  return typeof id === 'string' ? id : null;
}
