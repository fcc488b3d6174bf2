import type { DataSource } from 'typeorm';
import { type SealedColumn, sealedColumns } from './sealed-columns.js';
import type { SecretBox } from './secret-box.js';

/** Rows that are locked together: few, because requests may wait for one of them. */
const batchSize = 100;

/** Re-encrypts stored secrets that are not under the current key. */
export class SecretRotation {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Works through every sealed column in batches; the product may run meanwhile.
   * @returns how many secrets were re-encrypted. When it returns, none is under a former key.
   * @throws SecretUnreadableError for a secret that no configured key reads; the others so far stay re-encrypted.
   */
  async rotateSecrets(): Promise<number> {
    let sealed = 0;
    for (const column of sealedColumns) sealed += await this.rotate(column);
    return sealed;
  }

  private async rotate(column: SealedColumn): Promise<number> {
    let sealed = 0;
    for (;;) {
      const done = await this.rotateBatch(column);
      sealed += done;
      if (done < batchSize) return sealed;
    }
  }

  private rotateBatch({ table, key, column, place }: SealedColumn): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      // Locked until they are written: a secret that is changed meanwhile must not come back.
      const rows: { key: string; sealed: string }[] = await manager.query(
        `select ${key}::text as key, ${column} as sealed from ${table}
         where ${column} <> '' and not starts_with(${column}, $1)
         order by ${key} limit ${batchSize} for no key update`,
        [this.secrets.currentPrefix],
      );
      const resealed = rows.map((row) => {
        const at = `${place}.${row.key}`;
        return this.secrets.seal(this.secrets.open(row.sealed, at), at);
      });
      await manager.query(
        `update ${table} t set ${column} = n.sealed
         from unnest($1::text[], $2::text[]) as n (key, sealed) where t.${key}::text = n.key`,
        [rows.map((row) => row.key), resealed],
      );
      return rows.length;
    });
  }
}
