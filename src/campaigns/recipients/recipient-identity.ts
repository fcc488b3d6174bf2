import { namesOf } from '../../contacts/names-of-person.js';

/**
 * Who a recipient is, as SQL. A row of `campaign_recipients` is stored under the name that its caller gave: its number,
 * else its user id (`address`). A user id that is given besides a number is a second name. Neither ever changes. A person
 * is compared by all names that they have today; nothing else in campaigns says who is the same.
 */

/** The name under which a row with `recipient` and `to_user_id` is stored. */
export const addressOf = (row: string) =>
  `coalesce('to:' || ${row}.recipient, 'user:' || ${row}.to_user_id)`;

/** The second name of the recipient `r`, in the words of the index `campaign_recipients_second`. */
const secondName = `r.recipient is not null and r.to_user_id is not null and 'user:' || r.to_user_id`;

/**
 * A query for the recipients `r` of the campaign `campaignId` who are one of the persons with these names. Each name is
 * looked up by itself: a plan that is made while the table is small would read the whole campaign for each person.
 * @param columns what it answers.
 * @param condition of the rows `r`.
 */
export const recipientsNamed = (of: {
  columns: string;
  campaignId: string;
  names: string;
  condition: string;
}) => {
  const namedBy = (name: string) => `(
  select ${of.columns} from unnest(${of.names}) as name cross join lateral (
    select r.* from campaign_recipients r where r.campaign_id = ${of.campaignId} and ${name} = name offset 0
  ) r where ${of.condition})`;
  return `${namedBy('r.address')} union all ${namedBy(secondName)}`;
};

/** The names that the person behind a row has today: it has `account_id`, `mode`, `recipient`, `to_user_id`. */
export const namesToday = namesOf;

/**
 * Expressions of a recursive statement: `family (of_id, id)`, the campaigns that try each other's recipients again, for
 * each campaign (`id`) of the expression `campaigns`; and `root (of_id, id)`, the first of them.
 */
export const familySql = (campaigns: string) => `
  ancestor (of_id, id, retry_of) as (
    select c.id, c.id, c.retry_of from ${campaigns} c
    union all
    select n.of_id, c.id, c.retry_of from ancestor n join campaigns c on c.id = n.retry_of
  ), root (of_id, id) as (
    select of_id, id from ancestor where retry_of is null
  ), family (of_id, id) as (
    select of_id, id from root
    union all
    select f.of_id, c.id from family f join campaigns c on c.retry_of = f.id
  )`;
