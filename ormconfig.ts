import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/database/data-source-options.js';
import { migrations } from './src/database/migrations/index.js';
import { entities } from './src/entities.js';

// The command line of TypeORM reads this file; so does `npm run migrate`.
export default new DataSource({
  ...dataSourceOptions(process.env.DATABASE_URL ?? '', entities),
  migrations,
});
