import type { JsonObject } from './checks.js';
import { ControlError, objectWith } from './control-request.js';
import { waIdOf } from './number-forms.js';
import { userIdForm } from './send-validation.js';

/**
 * What becomes of a free-form message to a user who has not written for 24 hours: nothing happens, it
 * is refused at once, or it is accepted and fails later, as the platform mostly does it.
 */
export type WindowMode = 'off' | 'answer' | 'notification';

/** A user of WhatsApp. */
export interface User {
  /** Digits; null for a user of whom only the id is known. */
  phone: string | null;
  user_id: string;
  parent_user_id: string | null;
  username: string | null;
  name: string | null;
  /** Whether businesses do not see the number. */
  hides_phone: boolean;
  /** The 24-hour window of this user; off: what is set for all users holds. */
  window: WindowMode;
  /** Ids of the business numbers from which the user wants no marketing. */
  stopped_marketing: readonly string[];
  /** Ids of the business numbers to whose marketing the user has signed up. */
  signed_up: readonly string[];
}

/** A user before and after a change. */
export interface UserChange {
  readonly before: User;
  readonly after: User;
}

const windowModes: readonly WindowMode[] = ['off', 'answer', 'notification'];

/** Reads a mode. Throws a `ControlError` that says what would be valid. */
export const windowModeIn = (value: unknown): WindowMode => {
  const mode = windowModes.find((known) => known === value);
  if (mode === undefined) throw new ControlError(`window must be one of ${windowModes.join(', ')}`);
  return mode;
};

const textFields = ['parent_user_id', 'username', 'name'] as const;
const fields = [
  'phone',
  'user_id',
  'hides_phone',
  'window',
  'stopped_marketing',
  'signed_up',
  ...textFields,
];
const changeFields = [
  'phone',
  'user_id',
  'new_phone',
  'new_user_id',
  'new_parent_user_id',
  'phone_number_id',
];
const usersMax = 10_000;

/** Who the users are: those that were described, and for any other number one that hides nothing. */
export class Users {
  private known: User[] = [];
  private windows = false;

  /** Whether any user has a window of their own. */
  get hasWindows(): boolean {
    return this.windows;
  }

  /**
   * Describes a user, found by number or id, and returns the user before and after. Throws a
   * `ControlError` that says what is wrong.
   */
  put(body: unknown): UserChange {
    const given = objectWith(body, fields);
    const phone = phoneIn(given, 'phone');
    const userId = userIdIn(given, 'user_id');
    if (phone === null && userId === null) throw new ControlError('phone or user_id is required');
    if (given.hides_phone !== undefined && typeof given.hides_phone !== 'boolean') {
      throw new ControlError('hides_phone must be true or false');
    }
    const before = phone === null ? this.byUserId(userId ?? '') : this.byPhone(phone);
    const user: User = {
      ...before,
      phone: phone ?? before.phone,
      user_id: userId ?? before.user_id,
      hides_phone: given.hides_phone ?? before.hides_phone,
      window: given.window === undefined ? before.window : windowModeIn(given.window ?? 'off'),
      stopped_marketing: numbersIn(given, 'stopped_marketing') ?? before.stopped_marketing,
      signed_up: numbersIn(given, 'signed_up') ?? before.signed_up,
    };
    for (const field of textFields) {
      const value = given[field];
      if (value === undefined) continue;
      if (value !== null && typeof value !== 'string')
        throw new ControlError(`${field} must be a text`);
      user[field] = value;
    }
    this.keep(user, before);
    return { before, after: user };
  }

  /** Gives a user another number, another id, or both, perhaps with another parent id, and returns the user before and after. */
  change(body: unknown): UserChange {
    const given = objectWith(body, changeFields);
    const phone = phoneIn(given, 'new_phone');
    const userId = userIdIn(given, 'new_user_id');
    if (phone === null && userId === null) {
      throw new ControlError('new_phone or new_user_id is required');
    }
    const of = phoneIn(given, 'phone');
    const ofId = userIdIn(given, 'user_id');
    if (of === null && ofId === null) throw new ControlError('phone or user_id is required');
    const before = of === null ? this.byUserId(ofId ?? '') : this.byPhone(of);
    const after = {
      ...before,
      phone: phone ?? before.phone,
      user_id: userId ?? before.user_id,
      parent_user_id: userIdIn(given, 'new_parent_user_id') ?? before.parent_user_id,
    };
    this.keep(after, before);
    return { before, after };
  }

  /** The user with a number, in any form of it; digits. */
  byPhone(phone: string): User {
    const waId = waIdOf(phone);
    return this.known.find((user) => user.phone === waId) ?? newUser(waId, userIdOf(waId));
  }

  /** The user with an id. An id that was made up for a number leads back to it. */
  byUserId(userId: string): User {
    const known = this.known.find((user) => user.user_id === userId);
    if (known) return known;
    const [, phone] = /^US\.1000(\d{5,15})$/.exec(userId) ?? [];
    return newUser(phone === undefined || this.isTaken(phone) ? null : phone, userId);
  }

  /** The users that were described; with a number, the user who has it, described or not. */
  list(phone: string | null): User[] {
    const digits = phoneIn({ phone }, 'phone');
    return digits === null ? this.known : [this.byPhone(digits)];
  }

  private isTaken(phone: string): boolean {
    return this.known.some((user) => user.phone === phone);
  }

  private keep(user: User, before: User): void {
    this.known = this.known.filter(
      (other) =>
        other !== before && other.user_id !== user.user_id && (other.phone ?? '') !== user.phone,
    );
    if (this.known.length >= usersMax) throw new ControlError(`there are ${usersMax} users`);
    this.known.push(user);
    this.windows = this.known.some(({ window }) => window !== 'off');
  }
}

/** The user id that belongs to a phone number; made up, always the same. */
const userIdOf = (digits: string): string => `US.1000${digits}`;

const newUser = (phone: string | null, userId: string): User => ({
  phone,
  user_id: userId,
  parent_user_id: null,
  username: null,
  name: null,
  hides_phone: false,
  window: 'off',
  stopped_marketing: [],
  signed_up: [],
});

const phoneIn = (given: JsonObject, field: string): string | null => {
  const value = given[field];
  if (value === undefined || value === null) return null;
  const digits = typeof value === 'string' ? value.replaceAll(/\D/g, '') : '';
  if (!/^\d{5,15}$/.test(digits)) throw new ControlError(`${field} must be a phone number`);
  return waIdOf(digits);
};

const userIdIn = (given: JsonObject, field: string): string | null => {
  const value = given[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || !userIdForm.test(value)) {
    throw new ControlError(`${field} must be a user id such as US.13491208655302741918`);
  }
  return value;
};

const numbersIn = (given: JsonObject, field: string): string[] | null => {
  const value = given[field];
  if (value === undefined) return null;
  const isNumberId = (id: unknown) => typeof id === 'string' && /^\d{1,32}$/.test(id);
  if (!Array.isArray(value) || !value.every(isNumberId)) {
    throw new ControlError(`${field} must be a list of ids of business numbers`);
  }
  return [...new Set<string>(value)];
};
