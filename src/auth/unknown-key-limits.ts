import { Injectable } from '@nestjs/common';
import { AddressMinutes } from './address-minutes.js';

/** Keys found unknown that one address may try in a minute. */
export const unknownKeysMax = 60;

const nothing = () => {};

/**
 * Limits requests with unknown keys by address, since no key's quota covers them. Nobody can guess a key: it has 202
 * random bits.
 */
@Injectable()
export class UnknownKeyLimits {
  private readonly minutes = new AddressMinutes();
  /** Settles with the look-up that was asked for last, for each address that has one in its turn. */
  private readonly last = new Map<string, Promise<unknown>>();

  /**
   * Counts an unknown key.
   * @returns in how many seconds the address may try more; null when it may now.
   */
  note(address: string): number | null {
    const { count, secondsLeft } = this.minutes.add(address);
    return count > unknownKeysMax ? secondsLeft : null;
  }

  /**
   * Runs a look-up for an address. Those of an address that tries too many unknown keys go one after the
   * other, so that however many it sends at once take one connection to the database.
   */
  async inTurn<T>(address: string, lookUp: () => Promise<T>): Promise<T> {
    if (this.minutes.countOf(address) <= unknownKeysMax) return lookUp();
    const turn = (this.last.get(address) ?? Promise.resolve()).then(lookUp);
    const settled = turn.catch(nothing).finally(() => {
      if (this.last.get(address) === settled) this.last.delete(address);
    });
    this.last.set(address, settled);
    return turn;
  }
}
