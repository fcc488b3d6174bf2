import { identityChangeOf } from './identity-change.js';

const system = (fields: object, message: object = {}) =>
  identityChangeOf({ type: 'system', ...message, system: fields });

const ids = (phone: string | null, userId: string | null) => ({ phone, userId });

describe('a system message', () => {
  it('reports a new number, with the old one as its sender', () => {
    const change = {
      previous: { ...ids('16505551234', null), parentUserId: null },
      current: { ...ids('12195555358', null), parentUserId: null },
    };
    const from = { from: '16505551234' };
    const fields = { body: 'User Mia changed from 16505551234 to 12195555358' };
    expect(system({ ...fields, type: 'user_changed_number', wa_id: '12195555358' }, from)).toEqual(
      change,
    );
    // As the platform named the field before.
    expect(
      system({ ...fields, type: 'user_changed_number', new_wa_id: 12195555358 }, from),
    ).toEqual(change);
  });

  it.each<[string, object, object]>([
    ['a field of its own', { previous_user_id: 'US.1' }, {}],
    ['its sender', {}, { from_user_id: 'US.1' }],
    ['the end of its text', { body: 'User Mia changed from US.1 to US.2' }, {}],
  ])('reports a new user id, with the old one as %s', (_, fields, message) => {
    expect(
      system(
        { type: 'user_changed_user_id', user_id: 'US.2', parent_user_id: 'US.ENT.2', ...fields },
        message,
      ),
    ).toEqual({
      previous: { ...ids(null, 'US.1'), parentUserId: null },
      current: { ...ids(null, 'US.2'), parentUserId: 'US.ENT.2' },
    });
  });

  it('reports the parent id that was replaced', () => {
    const change = system({
      type: 'user_changed_user_id',
      user_id: 'US.2',
      previous_user_id: 'US.1',
      parent_user_id: 'US.ENT.2',
      previous_parent_user_id: 'US.ENT.1',
    });
    expect(change).toEqual({
      previous: { ...ids(null, 'US.1'), parentUserId: 'US.ENT.1' },
      current: { ...ids(null, 'US.2'), parentUserId: 'US.ENT.2' },
    });
  });

  it.each([
    ['does not end so', 'User changed from US.9 to US.2 changed their name'],
    ['names another new id', 'User Mia changed from US.1 to US.3'],
  ])('takes no user id from a text that %s: users choose their names', (_, body) => {
    expect(
      system({ type: 'user_changed_user_id', user_id: 'US.2', body })?.previous.userId,
    ).toBeNull();
  });

  it('does not take the current user for the previous one', () => {
    const body = 'User Mia changed from US.1 to US.2';
    const change = system(
      { type: 'user_changed_user_id', user_id: 'US.2', body },
      { from_user_id: 'US.2' },
    );
    expect(change?.previous.userId).toBe('US.1');
  });

  it.each<[string, object]>([
    ['of another type', { type: 'customer_identity_changed', user_id: 'US.2' }],
    ['without the new number', { type: 'user_changed_number', user_id: 'US.2' }],
    ['without the new user id', { type: 'user_changed_user_id', wa_id: '12195555358' }],
  ])('%s reports no change', (_, fields) => {
    expect(system(fields)).toBeNull();
  });

  it('is ignored in a message of another type', () => {
    expect(
      identityChangeOf({ type: 'text', system: { type: 'user_changed_number', wa_id: '1' } }),
    ).toBeNull();
  });
});
