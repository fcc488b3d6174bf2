import { isObject } from './checks.js';
import { ControlError } from './control-request.js';

/** A business phone number, with the account that it belongs to. */
export interface BusinessNumber {
  phone_number_id: string;
  business_account_id: string;
  /** Digits only, as webhooks write it. */
  display_phone_number: string;
}

/** The business account of numbers that were not registered. */
const defaultBusinessAccountId = '102290129340398';

/** Which number belongs to which business account. */
export class BusinessNumbers {
  private readonly known = new Map<string, BusinessNumber>();

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
    const number = {
      phone_number_id: id,
      business_account_id: account,
      display_phone_number:
        typeof display_phone_number === 'string'
          ? display_phone_number.replaceAll(/\D/g, '')
          : this.get(id).display_phone_number,
    };
    this.known.delete(id);
    this.known.set(id, number);
    return number;
  }

  /** The number, made up in a repeatable way when it is not known. */
  get(phoneNumberId: string): BusinessNumber {
    let number = this.known.get(phoneNumberId);
    if (number === undefined) {
      number = {
        phone_number_id: phoneNumberId,
        business_account_id: defaultBusinessAccountId,
        display_phone_number: `15559${phoneNumberId.slice(-6).padStart(6, '0')}`,
      };
      if (this.known.size < 10_000) this.known.set(phoneNumberId, number);
    }
    return number;
  }

  list(): BusinessNumber[] {
    return [...this.known.values()];
  }
}
