import { copyRows, filled } from '../copy-rows.mjs';

/** Fills the store with messages of this month and three finished events of each. */
export function fillHistory(client, count, progress) {
  const columns = {
    event_id: 'v.id',
    message_id: 'v.id',
    finished_at: 'v.at',
    platform_message_id: `'wamid.history' || v.id`,
    reference: `'history-' || v.id`,
  };
  const fill = async () => {
    const sent = { table: 'messages', template: 'where delivered_at is not null limit 1' };
    await copyRows(client, { ...sent, count, columns }, progress);
    const told = { table: 'done_events', template: 'order by error is not null limit 1' };
    await copyRows(client, { ...told, count: 3 * count, columns }, progress);
  };
  return filled(client, fill, progress);
}
