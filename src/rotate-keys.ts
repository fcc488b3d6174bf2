import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { AuditLog } from './audit/audit-log.js';
import { Config } from './config/config.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { openDatabase } from './database/opening/open-database.js';
import { entities } from './entities.js';
import { start } from './process.js';
import { SecretBox } from './secrets/secret-box.js';
import { SecretRotation } from './secrets/secret-rotation.js';

const actor = { userId: null, name: 'npm run rotate-keys', address: null };

/** Seals every stored secret under the first key of SECRET_KEY, while the product runs. */
start(async () => {
  const config = new Config(process.env);
  const dataSource = await openDatabase(
    new DataSource(dataSourceOptions(config.databaseUrl, entities)),
  );
  try {
    const secrets = new SecretBox(config.secretKeys);
    const sealed = await new SecretRotation(dataSource, secrets).rotateSecrets();
    await new AuditLog().record(dataSource.manager, actor, {
      action: 'installation.secrets_rotated',
      accountId: null,
      subjectId: null,
      subjectName: null,
      details: { sealed },
    });
    process.stdout.write(
      `${sealed} secrets re-encrypted; all of them now use the first key of SECRET_KEY.\n`,
    );
  } finally {
    await dataSource.destroy();
  }
});
