import type { FeedEvent, MessageReceivedEvent } from '../../typescript/src/index.js';
import type { Forwarded } from './forward.js';
import { printable } from './printable.js';

/** An event as one line: time, type, what happened, and what came of forwarding it. */
export function lineOf(event: FeedEvent, forwarded: Forwarded | null): string {
  const parts = [event.timestamp, event.event.padEnd('message.received'.length), factsOf(event)];
  if (forwarded !== null) parts.push(resultOf(forwarded));
  return printable(parts.join('  '));
}

function factsOf(event: FeedEvent): string {
  if (event.event === 'message.received') {
    return `${event.data.from ?? event.data.from_user_id ?? 'somebody'}: ${contentOf(event)}`;
  }
  if (event.event !== 'message.status') return JSON.stringify(event.data);
  const { message_id, status, error } = event.data;
  return `${message_id} ${status}${error === null ? '' : ` (${error.message})`}`;
}

function contentOf({ data: { message } }: MessageReceivedEvent): string {
  if (message.type === 'text') return message.text.body;
  if (message.type === 'button') return `[${message.button.payload}] ${message.button.text}`;
  if (message.type !== 'interactive') return `(${message.type})`;
  const { id, title } = message.interactive.list_reply;
  return `[${id}] ${title}`;
}

function resultOf({ status, attempts, error }: Forwarded): string {
  return error === null ? `-> ${status}` : `-> not delivered in ${attempts} attempts: ${error}`;
}
