import { isObject, type JsonObject } from './checks.js';
import { ControlError } from './control-request.js';

/** A business phone number, with the account that it belongs to. */
export interface BusinessNumber {
  phone_number_id: string;
  business_account_id: string;
  /** Digits only, as webhooks write it. */
  display_phone_number: string;
  /** Whether it is registered for the Cloud API: only then it sends. */
  registered: boolean;
  /** Of its two-step verification; null: the next registration sets it. */
  pin: string | null;
  /** `GREEN`, `YELLOW`, `RED` … */
  quality_rating: string;
  /** Such as `TIER_2K`. */
  messaging_limit: string;
  /** `APPROVED`, `PENDING_REVIEW` … */
  name_status: string;
  /** Whether Meta's own agent answers users; what they write comes under the field `standby` then. */
  standby: boolean;
}

/** What a business account has. */
export interface BusinessAccountState {
  /** Whether an app gets its webhooks. */
  subscribed: boolean;
  has_payment_method: boolean;
}

/** A number as the control interface shows it. */
export type ShownNumber = Omit<BusinessNumber, 'pin'> & BusinessAccountState;

/** The business account of numbers that were not registered. */
const defaultBusinessAccountId = '102290129340398';

/** What an account has that nothing was said about: everything, so that it can send at once. */
const ready: BusinessAccountState = { subscribed: true, has_payment_method: true };

/** The number of the demo account, as `npm start` makes it. */
const demo = { phoneNumberId: '100000000000001', displayPhoneNumber: '15550783881' };

/** Which number belongs to which business account, and what both still lack before they can be used. */
export class BusinessNumbers {
  private readonly known = new Map<string, BusinessNumber>();
  private readonly accounts = new Map<string, BusinessAccountState>();

  /** Learns a number from a request's body; throws a `ControlError` that says what is wrong. */
  learn(body: unknown): BusinessNumber {
    if (!isObject(body)) throw new ControlError('a number must be a JSON object');
    const { phone_number_id: id, business_account_id: account, display_phone_number } = body;
    if (typeof id !== 'string' || !/^\d+$/.test(id)) {
      throw new ControlError('phone_number_id must be a string of digits');
    }
    if (typeof account !== 'string' || !/^\d+$/.test(account)) {
      throw new ControlError('business_account_id must be a string of digits');
    }
    const before = this.get(id);
    const pin = pinOf(body);
    const number: BusinessNumber = {
      phone_number_id: id,
      business_account_id: account,
      display_phone_number:
        typeof display_phone_number === 'string'
          ? display_phone_number.replaceAll(/\D/g, '')
          : before.display_phone_number,
      registered: flag(body, 'registered') ?? before.registered,
      pin: pin === undefined ? before.pin : pin,
      quality_rating: word(body, 'quality_rating') ?? before.quality_rating,
      messaging_limit: word(body, 'messaging_limit') ?? before.messaging_limit,
      name_status: word(body, 'name_status') ?? before.name_status,
      standby: flag(body, 'standby') ?? before.standby,
    };
    const subscribed = flag(body, 'subscribed');
    const has_payment_method = flag(body, 'has_payment_method');
    this.changeAccount(account, {
      ...(subscribed !== undefined && { subscribed }),
      ...(has_payment_method !== undefined && { has_payment_method }),
    });
    this.known.delete(id);
    this.known.set(id, number);
    return number;
  }

  /** What a business account has. */
  account(id: string): BusinessAccountState {
    return this.accounts.get(id) ?? ready;
  }

  changeAccount(id: string, change: Partial<BusinessAccountState>): void {
    if (Object.keys(change).length > 0) this.accounts.set(id, { ...this.account(id), ...change });
  }

  /** A number with what its account has, and without its PIN. */
  shown(number: BusinessNumber): ShownNumber {
    return {
      phone_number_id: number.phone_number_id,
      business_account_id: number.business_account_id,
      display_phone_number: number.display_phone_number,
      registered: number.registered,
      quality_rating: number.quality_rating,
      messaging_limit: number.messaging_limit,
      name_status: number.name_status,
      standby: number.standby,
      ...this.account(number.business_account_id),
    };
  }

  /** The number, made up in a repeatable way when it is not known. */
  get(phoneNumberId: string): BusinessNumber {
    let number = this.known.get(phoneNumberId);
    if (number === undefined) {
      number = {
        phone_number_id: phoneNumberId,
        business_account_id: defaultBusinessAccountId,
        display_phone_number:
          phoneNumberId === demo.phoneNumberId
            ? demo.displayPhoneNumber
            : `15559${phoneNumberId.slice(-6).padStart(6, '0')}`,
        registered: true,
        pin: null,
        quality_rating: 'GREEN',
        messaging_limit: 'TIER_UNLIMITED',
        name_status: 'APPROVED',
        standby: false,
      };
      if (this.known.size < 10_000) this.known.set(phoneNumberId, number);
    }
    return number;
  }

  list(): BusinessNumber[] {
    return [...this.known.values()];
  }
}

const flag = (body: JsonObject, name: string): boolean | undefined => {
  const value = body[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw new ControlError(`${name} must be true or false`);
};

/** A word of the platform, which the simulator repeats as it is. */
const word = (body: JsonObject, name: string): string | undefined => {
  const value = body[name];
  if (value === undefined || (typeof value === 'string' && /^[A-Z0-9_]+$/.test(value)))
    return value;
  throw new ControlError(`${name} must be in capitals, such as ${examples[name]}`);
};

const examples: Readonly<Record<string, string>> = {
  quality_rating: 'GREEN',
  messaging_limit: 'TIER_2K',
  name_status: 'APPROVED',
};

/** Six digits, null to remove it, undefined to keep it. */
const pinOf = ({ pin }: JsonObject): string | null | undefined => {
  if (pin === undefined || pin === null) return pin;
  if (typeof pin === 'string' && /^\d{6}$/.test(pin)) return pin;
  throw new ControlError('pin must be a string of six digits');
};
