import { isObject, type JsonObject } from './checks.js';
import { ControlError } from './control-request.js';
import { userIdForm } from './send-validation.js';
import { userIdOf } from './webhook-body.js';

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
}

const textFields = ['parent_user_id', 'username', 'name'] as const;
const fields = ['phone', 'user_id', 'hides_phone', ...textFields];
const changeFields = ['phone', 'user_id', 'new_phone', 'new_user_id', 'phone_number_id'];
const usersMax = 10_000;

/** Who the users are: those that were described, and for any other number one that hides nothing. */
export class Users {
  private known: User[] = [];

  /** Describes a user, found by number or id. Throws a `ControlError` that says what is wrong. */
  put(body: unknown): User {
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
    };
    for (const field of textFields) {
      const value = given[field];
      if (value === undefined) continue;
      if (value !== null && typeof value !== 'string')
        throw new ControlError(`${field} must be a text`);
      user[field] = value;
    }
    this.keep(user, before);
    return user;
  }

  /** Gives a user another number, another id, or both, and returns the user before and after. */
  change(body: unknown): { before: User; after: User } {
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
    const after = { ...before, phone: phone ?? before.phone, user_id: userId ?? before.user_id };
    this.keep(after, before);
    return { before, after };
  }

  /** The user with a number; digits. */
  byPhone(phone: string): User {
    return this.known.find((user) => user.phone === phone) ?? newUser(phone, userIdOf(phone));
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
  }
}

const newUser = (phone: string | null, userId: string): User => ({
  phone,
  user_id: userId,
  parent_user_id: null,
  username: null,
  name: null,
  hides_phone: false,
});

const objectWith = (body: unknown, known: readonly string[]): JsonObject => {
  if (!isObject(body)) throw new ControlError('the body must be a JSON object');
  const strange = Object.keys(body).find((key) => !known.includes(key));
  if (strange !== undefined) {
    throw new ControlError(`the body takes ${known.join(', ')}, not "${strange}"`);
  }
  return body;
};

const phoneIn = (given: JsonObject, field: string): string | null => {
  const value = given[field];
  if (value === undefined || value === null) return null;
  const digits = typeof value === 'string' ? value.replaceAll(/\D/g, '') : '';
  if (!/^\d{5,15}$/.test(digits)) throw new ControlError(`${field} must be a phone number`);
  return digits;
};

const userIdIn = (given: JsonObject, field: string): string | null => {
  const value = given[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || !userIdForm.test(value)) {
    throw new ControlError(`${field} must be a user id such as US.13491208655302741918`);
  }
  return value;
};
