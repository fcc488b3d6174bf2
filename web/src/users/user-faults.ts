import { emailFault } from '../session/email-fault.ts';
import { isShortPassword } from '../session/short-password.ts';

export interface UserDraft {
  readonly email: string;
  readonly password: string;
  /** The password of who saves, where it is asked for; null where it is not. */
  readonly current: string | null;
  /** Whether the form has a password that must be there. */
  readonly needsPassword: boolean;
  /** Undefined where the role has no account. */
  readonly account: string | null | undefined;
}

/** What is wrong with a user before the API is asked; an empty object where nothing is. */
export function userFaults(draft: UserDraft) {
  const { email, password, current, needsPassword, account } = draft;
  const wrongEmail = emailFault(email);
  return {
    ...(wrongEmail && { email: wrongEmail }),
    ...(needsPassword && password === '' && { password: 'Write a password' }),
    // The field itself says how long it must be.
    ...(isShortPassword(password) && { password: 'Too short' }),
    ...(current === '' && { current: 'Write your password' }),
    ...(account === null && { account: 'Choose an account' }),
  };
}
