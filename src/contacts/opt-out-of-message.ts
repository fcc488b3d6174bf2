import { formsOf } from './forms/number-forms.js';

/**
 * The scope of the opt-out that forbids the row of a message, `all` or `marketing`, as an SQL expression; null where it
 * may be sent. Only templates are covered, and one-time codes never; the category is the template's of now. Contacts
 * that have opted out have small indexes of their own, so that other messages cost two look-ups, and one
 * for the forms of their number. If a message names a
 * number and a user id, the opt-out of either counts.
 * @param row the name of the row: it has `type`, `payload`, `account_id`, `mode`, `recipient` and `to_user_id`.
 */
export const optOutOf = (row: string) => {
  const scopeOf = (condition: string) => `(
    select case when own.category = 'AUTHENTICATION' then null
      when k.opted_out = 'all' then 'all'
      when coalesce(own.category, 'MARKETING') = 'MARKETING' then 'marketing' end
    from contacts k left join templates own on own.account_id = ${row}.account_id and own.mode = ${row}.mode
      and own.name = ${row}.payload::json->'template'->>'name'
      and own.language = ${row}.payload::json->'template'->'language'->>'code'
    where k.opted_out is not null and k.account_id = ${row}.account_id and k.mode = ${row}.mode
      and ${condition} limit 1)`;
  return `
  case when ${row}.type <> 'template' then null else coalesce(
    case when ${row}.recipient is not null
      then ${scopeOf(`k.phone = any (${formsOf(row, `${row}.recipient`)})`)} end,
    case when ${row}.to_user_id is not null
      then coalesce(${scopeOf(`k.user_id = ${row}.to_user_id`)}, ${scopeOf(`
      k.id = (select f.contact_id from contact_former_ids f where f.account_id = ${row}.account_id
        and f.mode = ${row}.mode and f.user_id = ${row}.to_user_id)`)}) end) end`;
};
