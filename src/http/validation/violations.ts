import { AppError, validationError, violationsMax } from '../../errors/app-error.js';

/** What is wrong with a value, by path (`a.b[0]`). Keeps as many as an answer can hold and counts the rest. */
export class Violations {
  private readonly known: [path: string, fault: string][] = [];
  private readonly unknown: [path: string, fault: string][] = [];
  private leftOut = 0;
  private isWrongNumber = false;

  get count(): number {
    return this.known.length + this.unknown.length + this.leftOut;
  }

  addFault(path: string, fault: string): void {
    this.keep(this.known, path, fault);
  }

  addUnknown(path: string): void {
    this.keep(this.unknown, path, 'is not a known field');
  }

  /** Notes a text that is not a phone number. */
  addWrongNumber(path: string, fault: string): void {
    this.isWrongNumber = path === 'to';
    this.addFault(path, fault);
  }

  /** What is wrong by path; unknown fields come last. */
  fields(): Record<string, string> {
    return Object.fromEntries([...this.known, ...this.unknown]);
  }

  /**
   * The error that the caller gets. A phone number of the wrong form, in a body otherwise valid, has a
   * code of its own.
   * @param unstorable further violations, which come last.
   */
  toError(unstorable: Readonly<Record<string, string>> | null): AppError {
    const fields = { ...this.fields(), ...unstorable };
    return this.count === 1 && this.isWrongNumber && !unstorable
      ? new AppError('INVALID_PHONE_NUMBER', { details: { fields } })
      : validationError(fields, undefined, this.leftOut);
  }

  private keep(list: [string, string][], path: string, fault: string): void {
    if (list.length < violationsMax) list.push([path, fault]);
    else this.leftOut += 1;
  }
}

/** The name of the rule that holds a phone number to E.164. */
export const phoneNumberConstraint = 'isPhoneNumber';

type FaultsOf = (value: unknown) => (string | null)[] | Readonly<Record<string, string>>;

/** The context of a rule on the items of a list or the members of an object. */
export interface ItemRule {
  /**
   * What is wrong with each item, or null; or with members, by their path. Empty if the value itself
   * is wrong.
   */
  readonly faultsOf: FaultsOf;
}

/** Declares an `ItemRule`. */
export function itemRule(faultsOf: FaultsOf): ItemRule {
  return { faultsOf };
}
