import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SecretBox } from '../secrets/secret-box.js';
import * as sql from './key-pepper.statements.js';

const name = 'api_key_pepper';
const place = `installation_secrets.${name}`;

/**
 * The secret under which API keys are digested. It is random, made once for an installation and
 * sealed under SECRET_KEY, so that a new SECRET_KEY costs no API key.
 */
@Injectable()
export class KeyPepper {
  private pepper: Promise<Buffer> | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  /** @throws SecretUnreadableError when SECRET_KEY lacks the key that sealed it. */
  get(): Promise<Buffer> {
    this.pepper ??= this.read().catch((error: unknown) => {
      this.pepper = null;
      throw error;
    });
    return this.pepper;
  }

  private async read(): Promise<Buffer> {
    const sealed = this.secrets.seal(randomBytes(32).toString('base64'), place);
    await sql.addPepper.run(this.dataSource, { name, sealed });
    const row = await sql.findPepper.row(this.dataSource, { name });
    if (!row) throw new Error('the pepper of API keys is gone');
    return Buffer.from(this.secrets.open(row.sealed, place), 'base64');
  }
}
