import { statement } from '../database/statements/statement.js';

export const addPepper = statement({
  name: 'add-pepper',
  params: { name: 'text', sealed: 'text' },
  text: `
  insert into installation_secrets (name, sealed) values (:name, :sealed) on conflict do nothing`,
});

export const findPepper = statement({
  name: 'find-pepper',
  params: { name: 'text' },
  columns: { sealed: 'text' },
  text: 'select sealed from installation_secrets where name = :name',
});
