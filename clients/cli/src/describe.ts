import type { FeedEvent, MessageEchoEvent, ReceivedContent } from '../../typescript/src/index.js';
import type { Forwarded } from './forward.js';
import { printable } from './output.js';

/** An event as one line: time, type, what happened, and what came of forwarding it. */
export function lineOf(event: FeedEvent, forwarded: Forwarded | null): string {
  const parts = [event.timestamp, event.event.padEnd('message.received'.length), factsOf(event)];
  if (forwarded !== null) parts.push(resultOf(forwarded));
  return printable(parts.join('  '));
}

function factsOf(event: FeedEvent): string {
  if (event.event === 'message.received' || event.event === 'message.standby') {
    const { from, from_user_id, message } = event.data;
    return `${from ?? from_user_id ?? 'somebody'}: ${contentOf(message)}`;
  }
  if (event.event === 'message.echo') return echoOf(event);
  if (event.event !== 'message.status') return JSON.stringify(event.data);
  const { message_id, status, error } = event.data;
  return `${message_id} ${status}${error === null ? '' : ` (${error.message})`}`;
}

function echoOf({ data }: MessageEchoEvent): string {
  const { to, to_user_id, change, original_message_id, message } = data;
  const facts = [
    ...(change === 'sent' ? [] : [`${original_message_id} ${change}`]),
    ...(message === null ? [] : [contentOf(message)]),
  ];
  return `to ${to ?? to_user_id ?? 'somebody'}: ${facts.join(': ')}`;
}

/** WhatsApp may send a form of a type that the client does not know: then there is only the type. */
function contentOf(message: ReceivedContent): string {
  const type = `(${message.type})`;
  if (message.type === 'text') return message.text?.body ?? type;
  if (message.type === 'button') {
    return message.button ? `[${message.button.payload}] ${message.button.text}` : type;
  }
  if (message.type === 'interactive') {
    const row = message.interactive?.list_reply;
    return row ? `[${row.id}] ${row.title}` : type;
  }
  if (message.type === 'flow_reply') {
    return `${type} ${JSON.stringify(message.flow_reply?.response)}`;
  }
  if (message.type === 'location') {
    return `${type} ${message.location?.latitude}, ${message.location?.longitude}`;
  }
  if (message.type === 'edit') return `${type} ${message.edit?.original_message_id}`;
  if (message.type === 'revoke') return `${type} ${message.revoke?.original_message_id}`;
  if (message.type === 'reaction') return `${type} ${message.reaction?.emoji || 'removed'}`;
  return type;
}

function resultOf({ status, attempts, error }: Forwarded): string {
  return error === null ? `-> ${status}` : `-> not delivered in ${attempts} attempts: ${error}`;
}
