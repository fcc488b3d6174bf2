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
  readonly previous: FormerIds | null;
}

/** What a user had before a change. */
export interface FormerIds extends ContactIds {
  readonly parentUserId: string | null;
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

/** The platform calls a number by another one: both reach the same user. */
export interface NumberForm extends ContactScope {
  /** The number that we wrote to, as E.164. */
  readonly phone: string;
  /** What the platform calls it, as E.164. */
  readonly form: string;
}
