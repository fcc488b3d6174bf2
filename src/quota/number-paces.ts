import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import * as sql from './number-paces.statements.js';

/** A bucket of tokens for each business number with a pace, shared by all processes. */
@Injectable()
export class NumberPaces {
  constructor(private readonly dataSource: DataSource) {}

  /** Takes one token. @returns 0 if it was there or the number has no pace; else in how many milliseconds to ask again. */
  async takeToken(accountId: string): Promise<number> {
    return (await sql.takeToken.row(this.dataSource, { accountId }))?.wait_ms ?? 0;
  }
}
