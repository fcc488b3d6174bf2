import type { DataSource } from 'typeorm';
import { type SealedColumn, sealedColumns } from './sealed-columns.js';
import type { SecretBox } from './secret-box.js';
import * as sql from './secret-rotation.statements.js';

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
      if (done < sql.batchSize) return sealed;
    }
  }

  private rotateBatch(column: SealedColumn): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      // Locked until they are written: a secret that is changed meanwhile must not come back.
      const rows = await sql.lockFormer
        .of(column)
        .rows(manager, { currentPrefix: this.secrets.currentPrefix });
      const resealed = rows.map((row) => {
        const at = `${column.place}.${row.key}`;
        return this.secrets.seal(this.secrets.open(row.sealed, at), at);
      });
      await sql.sealAnew
        .of(column)
        .run(manager, { keys: rows.map((row) => row.key), sealed: resealed });
      return rows.length;
    });
  }
}
