import type { Mode } from '../access/mode.js';
import { userIdForm } from './user-id.rule.js';

/** The platform's names for a user; null where it does not say. */
export interface ContactIds {
  /** E.164. */
  readonly phone: string | null;
  /** The business-scoped user id. */
  readonly userId: string | null;
}

/** A user of WhatsApp as one account knows them, in one mode. */
export interface Contact extends ContactIds {
  /** UUIDv7. */
  readonly id: string;
  /** The user's id for all businesses of a portfolio. */
  readonly parentUserId: string | null;
  readonly username: string | null;
  readonly name: string | null;
  /** When they last wrote, by the platform's time. */
  readonly lastInboundAt: Date | null;
}

/** The owner of contacts: they are not shared between accounts, or between live and test. */
export interface ContactScope {
  readonly accountId: string;
  readonly mode: Mode;
}

/** What the platform says of one user at one time. */
export interface Sighting extends ContactScope, ContactIds {
  readonly parentUserId: string | null;
  readonly username: string | null;
  readonly name: string | null;
  /** The platform's time of what it says. */
  readonly at: Date;
  /** Whether the user wrote something; a note from the platform about them does not count. */
  readonly isInbound: boolean;
  /** What the user had before; set where the platform says that the number or the user id has changed. */
  readonly previous: ContactIds | null;
}

/** A contact has a different number or user id, or was merged with another contact. */
export interface ContactChange extends ContactScope {
  readonly contactId: string;
  readonly change: 'phone' | 'user_id' | 'merged';
  readonly previous: ContactIds & { readonly contactId: string };
  readonly current: ContactIds & { readonly contactId: string };
}

const phoneForm = /^\+?[1-9]\d{4,14}$/;

/** A phone number of the platform, digits alone, as E.164; null for anything else, such as a group's id. */
export function phoneOf(digits: string | null): string | null {
  return digits !== null && phoneForm.test(digits) ? `+${digits.replace('+', '')}` : null;
}

/** A user id of the platform; null for anything else. */
export function userIdOf(text: string | null): string | null {
  return text !== null && userIdForm.test(text) ? text : null;
}

/** A mobile number, with digits that one of its two forms lacks: before them, the digits, after them. */
const twoForms: readonly { readonly form: RegExp; readonly digits: string }[] = [
  // Brazil: the platform knows numbers from before the ninth digit without it.
  { form: /^(\+55\d\d)(9?)([6-9]\d{7})$/, digits: '9' },
  // Mexico: until 2019, mobile numbers had a 1. No area code begins with 1.
  { form: /^(\+52)(1?)([2-9]\d{9})$/, digits: '1' },
  // Argentina: from abroad, mobile numbers have a 9. Area codes begin with 11, 2 or 3.
  { form: /^(\+54)(9?)((?:11|2\d|3\d)\d{8})$/, digits: '9' },
];

/**
 * The forms of one phone number that follow from the plans of countries; the same as `phone_forms` of the database. The
 * platform tells of others, see `NumberForm`.
 */
export function phoneForms(phone: string): string[] {
  for (const { form, digits } of twoForms) {
    const [, before, has, after] = form.exec(phone) ?? [];
    if (before !== undefined) return [phone, `${before}${has ? '' : digits}${after}`];
  }
  return [phone];
}

/** The platform calls a number by another one: both reach the same user. */
export interface NumberForm extends ContactScope {
  /** The number that we wrote to, as E.164. */
  readonly phone: string;
  /** What the platform calls it, as E.164. */
  readonly form: string;
}
