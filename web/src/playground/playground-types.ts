import { directKinds } from './direct-kinds.ts';
import { interactiveKinds } from './interactive-kinds.ts';
import type { MessageKind } from './message-kind.ts';
import { type Path, type Payload, replaced } from './payloads.ts';
import { templateKinds } from './template-kinds.ts';

const kinds = { ...interactiveKinds, ...directKinds, ...templateKinds };

/** A type of message that the playground builds. */
export type PlaygroundType = keyof typeof kinds;

export const kindOf: Readonly<Record<PlaygroundType, MessageKind>> = kinds;

/** Whether WhatsApp has approved it, so that it needs no open window. */
export const isTemplate = (type: PlaygroundType): type is keyof typeof templateKinds =>
  type in templateKinds;

/** The type of this name. */
export const playgroundType = (name: unknown): PlaygroundType | undefined =>
  (Object.keys(kinds) as PlaygroundType[]).find((each) => each === name);

export const routeOf = (type: PlaygroundType) => `/api/v1/external/messages/${kindOf[type].path}`;

/** The payload with another value at a path, its fields in order; undefined takes the field away. */
export function changed(
  type: PlaygroundType,
  payload: Payload,
  path: Path,
  value: unknown,
): Payload {
  const order = ['to', 'to_user_id', ...kindOf[type].fields, 'reply_to', 'reference'];
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(
    Object.entries(replaced(payload, path, value) as Payload).toSorted(
      ([one], [other]) => place(one) - place(other),
    ),
  );
}

/** No phone number begins with letters. */
const userIdStart = /^[A-Z]{2}\./;

/** The payload for another recipient: what looks like a user id goes into `to_user_id`, everything else into `to`. */
export function addressed(type: PlaygroundType, payload: Payload, recipient: string): Payload {
  const [field, other] = userIdStart.test(recipient) ? ['to_user_id', 'to'] : ['to', 'to_user_id'];
  return changed(type, changed(type, payload, [other], undefined), [field], recipient);
}
