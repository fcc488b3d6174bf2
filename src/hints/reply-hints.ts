import { Injectable } from '@nestjs/common';
import { HintChannel } from './hint-channel.js';

/** A message whose state has become of interest to the API process where its caller waits. */
export interface ReplyHint {
  readonly id: string;
  readonly status: string;
}

/** At most this many hints in one text: PostgreSQL takes 8,000 bytes in a NOTIFY. */
const hintsMax = 100;

const channelOf = (processId: string) => `replies:${processId}`;

/**
 * Carries settled messages from workers to waiting callers. A lost hint costs half a second: the caller's process that
 * waits also looks at the rows.
 */
@Injectable()
export class ReplyHints {
  constructor(private readonly channel: HintChannel) {}

  /** Calls `listener` with every hint addressed to this process. */
  listen(processId: string, listener: (hints: ReplyHint[]) => void): Promise<void> {
    return this.channel.listen(channelOf(processId), (text) => listener(decode(text)));
  }

  /** Sends hints to one API process. Never rejects. */
  async publish(processId: string, hints: readonly ReplyHint[]): Promise<void> {
    for (let start = 0; start < hints.length; start += hintsMax) {
      const text = encode(hints.slice(start, start + hintsMax));
      await this.channel.publish(channelOf(processId), text);
    }
  }
}

/** The compact form on the wire: `id:status`, separated by spaces. */
function encode(hints: readonly ReplyHint[]): string {
  return hints.map(({ id, status }) => `${id}:${status}`).join(' ');
}

function decode(text: string): ReplyHint[] {
  return text.split(' ').flatMap((part) => {
    const [id, status] = part.split(':');
    return id && status ? [{ id, status }] : [];
  });
}
