import { describe, expect, it } from '@jest/globals';
import { type UserDraft, userFaults } from './user-faults.ts';

const fine: UserDraft = {
  email: 'ada@example.org',
  password: '',
  current: null,
  needsPassword: false,
  account: 'a',
};

describe('what is wrong with a user in the form', () => {
  it('is nothing for an invitation with an address and an account', () => {
    expect(userFaults(fine)).toEqual({});
    expect(userFaults({ ...fine, account: undefined })).toEqual({});
  });

  it.each(['', 'bad mail', 'ada@', 'ada example@x'])('is the address %j', (email) => {
    expect(userFaults({ ...fine, email })).toEqual({
      email: 'Write an address such as name@example.com',
    });
  });

  it('is each field that is missing', () => {
    expect(userFaults({ ...fine, needsPassword: true, current: '', account: null })).toEqual({
      password: 'Write a password',
      current: 'Write your password',
      account: 'Choose an account',
    });
    expect(userFaults({ ...fine, password: 'short' })).toEqual({ password: 'Too short' });
  });
});
