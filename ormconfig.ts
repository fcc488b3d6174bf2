import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/database/data-source-options.js';

// The command line of TypeORM reads this file; so does `npm run migrate`.
export default new DataSource({
  ...dataSourceOptions(process.env.DATABASE_URL ?? ''),
  migrations: [`${import.meta.dirname}/src/database/migrations/*.js`],
});
