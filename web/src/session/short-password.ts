import { changePasswordLimits } from '../api/limits/change-password.ts';
import { characters } from '../parts/limit-faults.ts';

export const { minLength } = changePasswordLimits.new_password;

/** Whether something was entered that is no password yet. */
export const isShortPassword = (password: string) =>
  password !== '' && characters(password) < minLength;
