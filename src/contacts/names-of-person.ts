import { formsOf } from './forms/number-forms.js';

/**
 * The names of a person, as SQL: `to:` with a number, `user:` with a user id, `contact:` with the id of a contact. Two
 * rows mean the same person if one of them is stored under a name that the other one has today. What a row is stored
 * under never changes; what contacts know may, so the names are looked up when rows are compared.
 */

/** A query for the names (`name`) of a contact: every number and id that it has, had, or took over. */
export const namesOfContact = (contact: string) => `(
  select 'contact:' || ${contact}.id as name
  union all select 'contact:' || merged.id from contacts merged where merged.merged_into = ${contact}.id
  union all select 'to:' || form from unnest(${formsOf(contact, `${contact}.phone`)}) as form where form is not null
  union all select 'user:' || ${contact}.user_id where ${contact}.user_id is not null
  union all select 'user:' || former.user_id from contact_former_ids former where former.contact_id = ${contact}.id)`;

/** The contacts that a row names, by its number, its user id or both. */
const contactsOf = (row: string) => `(
  select known.* from contacts known where known.account_id = ${row}.account_id and known.mode = ${row}.mode
    and known.phone = any (${formsOf(row, `${row}.recipient`)})
  union all
  select known.* from contacts known where known.account_id = ${row}.account_id and known.mode = ${row}.mode
    and known.user_id = ${row}.to_user_id
  union all
  select known.* from contact_former_ids former join contacts known on known.id = former.contact_id
  where former.account_id = ${row}.account_id and former.mode = ${row}.mode and former.user_id = ${row}.to_user_id)`;

/**
 * The names of the person whom a row means, as an array: those that the row gives, and those of the contacts behind them.
 * @param row the name of the row: it has `account_id`, `mode`, `recipient` and `to_user_id`.
 */
export const namesOf = (row: string) => `
  array(
    select 'to:' || form from unnest(${formsOf(row, `${row}.recipient`)}) as form where form is not null
    union select 'user:' || ${row}.to_user_id where ${row}.to_user_id is not null
    union select own.name from ${contactsOf(row)} contact cross join lateral ${namesOfContact('contact')} own)`;
