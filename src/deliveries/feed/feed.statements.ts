import { statement } from '../../database/statements/statement.js';

export const findFeed = statement({
  name: 'find-feed',
  params: { apiKeyId: 'uuid' },
  columns: { event_feed: 'bool' },
  text: 'select event_feed from api_keys where id = :apiKeyId',
});
