import { Injectable } from '@nestjs/common';

const nothing = () => {};

/** Runs work one after the other for each address, so that no address takes more than one turn at a time. */
@Injectable()
export class AddressTurns {
  /** The end of what was asked for last, for addresses with work. */
  private readonly last = new Map<string, Promise<void>>();

  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(address) ?? Promise.resolve()).then(work);
    const end = turn.then(nothing, nothing);
    this.last.set(address, end);
    try {
      return await turn;
    } finally {
      if (this.last.get(address) === end) this.last.delete(address);
    }
  }
}
