import { copyRows, filled } from '../copy-rows.mjs';

/** Half of everything belongs to the first key and its account, the rest to the others in turn. */
const owner = (values) =>
  `case when n % 2 = 0 then ($$${values[0]}$$)::uuid
    else ($$${asArray(values.slice(1))}$$::uuid[])[1 + n / 2 % ${values.length - 1}] end`;

const asArray = (values) => `{${values.join(',')}}`;

/**
 * Fills an installation as years of use do, within this month.
 *
 * @param keys of all accounts: `id`, `account_id` and `endpoint_id` of each.
 * @param campaignId a campaign with one recipient.
 * @param sizes how many `messages`, finished `events`, `contacts`, and `recipients` of the campaign there are to be.
 */
export function fillInstallation(client, { keys, campaignId }, sizes, progress) {
  const { messages, events, contacts, recipients } = sizes;
  const ofKeys = {
    account_id: owner(keys.map((key) => key.account_id)),
    api_key_id: owner(keys.map((key) => key.id)),
  };
  const phone = `'+4930' || 10000000 + n % ${contacts}`;
  const fill = async () => {
    await copyRows(
      client,
      {
        table: 'messages',
        count: messages,
        template: 'where delivered_at is not null limit 1',
        columns: {
          ...ofKeys,
          recipient: phone,
          platform_message_id: `'wamid.growth' || v.id`,
          reference: `'order-' || n`,
          status: `case when n % 50 = 7 then 'failed' else template.status end`,
          receipt: `case when n % 50 <> 7 then template.receipt end`,
          error: `case when n % 50 = 7 then '{"code":"MESSAGE_SEND_FAILED","message":"","platformCode":131026}'::jsonb end`,
        },
      },
      progress,
    );
    await copyRows(
      client,
      {
        table: 'done_events',
        count: events,
        template: 'order by error is not null limit 1',
        columns: {
          account_id: ofKeys.account_id,
          endpoint_id: owner(keys.map((key) => key.endpoint_id)),
          event_id: 'v.id',
          message_id: 'v.id',
          finished_at: 'v.at',
          status: `case when n % 1000 = 7 then 'failed' else 'succeeded' end`,
          body: `replace(template.body, template.message_id::text, v.id::text)`,
        },
      },
      progress,
    );
    progress(`filling: ${recipients} recipients of a campaign`);
    await client.query(
      `insert into campaign_recipients (campaign_id, position, recipient, address, variables)
       select campaign_id, n, '+4940' || n, '+4940' || n, variables
       from campaign_recipients, generate_series(1000001, 1000000 + $2::int) n
       where campaign_id = $1 and position < 1000000`,
      [campaignId, recipients],
    );
    progress(`filling: ${contacts} rows of contacts`);
    await client.query(
      `insert into contacts (id, account_id, mode, phone, name, last_inbound_at, wrote_at, created_at, active_at)
       select uuidv7(make_interval(secs => -n)), ${ofKeys.account_id}, 'live', ${phone},
         'Person ' || md5(n::text), now() - make_interval(secs => n),
         date_bin('1 hour', now() - make_interval(secs => n), 'epoch'), now() - make_interval(secs => n), now()
       from generate_series(0, $1::int - 1) n`,
      [contacts],
    );
  };
  return filled(client, fill, progress);
}
