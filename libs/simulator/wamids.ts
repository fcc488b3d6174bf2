import { randomBytes } from 'node:crypto';

/**
 * Message ids in the platform's form: base64 of a small record with the recipient's digits and 18
 * hexadecimal characters. Ten of those are the run's own, eight count, so that an id names its
 * place in the ledger and no two starts share one.
 */
export class Wamids {
  private readonly run = randomBytes(5).toString('hex').toUpperCase();

  /** The id of the message with this number; the same input gives the same id. */
  of(sequence: number, digits: string): string {
    const counter = sequence.toString(16).toUpperCase().padStart(8, '0');
    const record = `\x1c\x18${String.fromCharCode(digits.length)}${digits}\x15\x02\x00\x11\x18\x12${this.run}${counter}\x00`;
    return `wamid.${Buffer.from(record, 'latin1').toString('base64')}`;
  }

  /** The number of the message that an id of this run names, or null. */
  sequenceOf(wamid: string): number | null {
    if (!wamid.startsWith('wamid.')) return null;
    const record = Buffer.from(wamid.slice(6), 'base64').toString('latin1');
    const tail = record.slice(-19, -1);
    return tail.startsWith(this.run) && /^[\dA-F]{18}$/.test(tail)
      ? Number.parseInt(tail.slice(10), 16)
      : null;
  }
}
