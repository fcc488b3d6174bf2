import type { Permission } from '../access/permissions.js';
import type { ErrorCode } from '../errors/catalogue.js';
import type { MessageType } from '../messages/message.js';
import type { FileUse } from '../uploads/uploaded-files.js';
import type { FreeFormDto } from './free-form.dto.js';

/** What WhatsApp's payload of a message is made of: the type, and the field with the type's name. */
export type PlatformContent = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * A type of message for the open window: everything that its route, the playground and the API document need.
 * A type is added by a folder with one of these, and a line in the list of its module.
 */
export interface FreeFormType<Message extends FreeFormDto = never> {
  readonly type: MessageType;
  /** The route, below `/messages`. */
  readonly path: string;
  readonly permission: Permission;
  /** What the route does, in a sentence. */
  readonly summary: string;
  /** The body of a request, with its limits. */
  readonly dto: new () => FreeFormDto;
  /**
   * An upload stands in it as `media_id`, and is replaced by the platform's id.
   * @param about WhatsApp's id of the message that this one answers or reacts to, or null.
   * @returns what is sent, without the recipient. `null` and absent fields of the request are the same.
   */
  readonly content: (message: Message, about: string | null) => PlatformContent;
  /** The required field that names the message which it is about, if it does more than answer it. */
  readonly aboutField?: keyof Message & string;
  /** The uploads that it names; absent where it can name none. */
  readonly files?: (message: Message) => FileUse[];
  /** The errors that its route adds to those of every type. */
  readonly refuses?: readonly ErrorCode[];
  /** What WhatsApp will refuse, though the limits allow it; each text names the field. */
  readonly warnings?: (message: Message) => string[];
}

/** @returns the type, without the class of its message, so that lists can hold all of them. */
export function freeFormType<Message extends FreeFormDto>(
  type: FreeFormType<Message>,
): FreeFormType {
  return type;
}
