import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ConfigError } from '../config/config.js';
import type { Row } from '../database/statements/statement.js';
import { isUndefinedColumn, isUndefinedTable } from '../database/store-errors.js';
import * as sql from './sealed-secrets.statements.js';
import { SecretBox } from './secret-box.js';

/** Stops the start of a process that could not read every stored secret. */
@Injectable()
export class SealedSecretsCheck implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  /** @throws ConfigError that names the keys which SECRET_KEY lacks, and what is sealed with them. */
  async onModuleInit(): Promise<void> {
    const found = await this.find();
    const unreadable = found.filter(({ key_id }) => !this.secrets.hasKey(key_id));
    if (unreadable.length === 0) return;
    const places = unreadable.map(
      ({ place, key_id, count }) => `${count} in ${place} with key ${key_id || 'unknown'}`,
    );
    throw new ConfigError(
      `SECRET_KEY lacks a key that stored secrets are sealed with; it takes every key in use: ${places.join(', ')}`,
    );
  }

  private async find(): Promise<Row<typeof sql.countSealed>[]> {
    try {
      return await sql.countSealed.rows(this.dataSource);
    } catch (error) {
      // Before the first migration there are no tables, and no secrets. Before a later one, this process is not ready.
      if (isUndefinedTable(error) || isUndefinedColumn(error)) return [];
      throw error;
    }
  }
}
