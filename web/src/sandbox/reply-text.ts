import { changeTexts, shownMessage, summaryOf } from '../phone/shown-message.ts';

type Thing = Readonly<Record<string, unknown>>;

const thingOf = (value: unknown): Thing =>
  typeof value === 'object' && value !== null ? (value as Thing) : {};

/** What a user's message says, in one line: the title of what was tapped, the text, or what it is. */
export function replyText(message: Thing): string {
  const type = typeof message.type === 'string' ? message.type : '';
  const content = thingOf(message[type]);
  if (type === 'reaction') return summaryOf(shownMessage(message));
  const reply = thingOf(content.button_reply ?? content.list_reply);
  const said = [reply.title, content.body, content.text, content.caption, content.name].find(
    (each) => typeof each === 'string' && each !== '',
  );
  if (typeof said === 'string') return said;
  return content.type === 'nfm_reply' ? 'Filled in the form' : (names[type] ?? type);
}

const names: Readonly<Record<string, string>> = {
  location: 'A location',
  contacts: 'A contact card',
  audio: 'A recording',
  image: 'A picture',
  ...changeTexts,
};

/** The id of the message that a user's message answers; null when it answers none. */
export function answeredId(message: Thing): string | null {
  const { id } = thingOf(message.context);
  return typeof id === 'string' ? id : null;
}
