import { formsOf } from './forms/number-forms.js';

/**
 * The contact that the row of a message is for, as an SQL expression; null when none is known. A number goes before
 * a user id, as it does when the message is sent.
 * @param row the name of the row: it has `account_id`, `mode`, `recipient` and `to_user_id`.
 */
export const contactOf = (row: string) => `
  case when ${row}.recipient is not null
    then (select k.id from contacts k where k.account_id = ${row}.account_id and k.mode = ${row}.mode
      and k.phone = any (${formsOf(row, `${row}.recipient`)}) limit 1)
    else coalesce((select k.id from contacts k where k.account_id = ${row}.account_id
        and k.mode = ${row}.mode and k.user_id = ${row}.to_user_id),
      (select f.contact_id from contact_former_ids f where f.account_id = ${row}.account_id
        and f.mode = ${row}.mode and f.user_id = ${row}.to_user_id)) end`;

/** The present id of the user whom a message names by an id that the platform has replaced since, as SQL; else null. */
export const presentUserIdOf = (row: string) => `
  case when ${row}.recipient is null then (
    select k.user_id from contact_former_ids f join contacts k on k.id = f.contact_id
    where f.account_id = ${row}.account_id and f.mode = ${row}.mode and f.user_id = ${row}.to_user_id) end`;
