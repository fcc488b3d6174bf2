import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ConfigError } from '../config/config.js';
import { isUndefinedColumn, isUndefinedTable } from '../database/store-errors.js';
import { sealedColumns } from './sealed-columns.js';
import { SecretBox } from './secret-box.js';

const foundSql = sealedColumns
  .map(
    ({ table, column }) =>
      `select '${table}.${column}' as place, split_part(${column}, '.', 2) as key_id, count(*)::int
       from ${table} where ${column} <> '' group by key_id`,
  )
  .join(' union all ');

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

  private async find(): Promise<{ place: string; key_id: string; count: number }[]> {
    try {
      return await this.dataSource.query(foundSql);
    } catch (error) {
      // Before the first migration there are no tables, and no secrets. Before a later one, this process is not ready.
      if (isUndefinedTable(error) || isUndefinedColumn(error)) return [];
      throw error;
    }
  }
}
