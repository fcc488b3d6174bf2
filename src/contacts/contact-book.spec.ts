import { phoneForms } from '#libs/phone-numbers';
import { newId } from '../database/ids.js';
import { type Contact, type FormerIds, phoneOf, type Sighting, userIdOf } from './contact.js';
import { ContactBook } from './contact-book.js';

const scope = { accountId: newId(), mode: 'live' } as const;
const phone = '+14155550123';
const otherPhone = '+14155550124';
const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 12, minute));

function sighting(change: Partial<Sighting>): Sighting {
  return {
    ...scope,
    phone: null,
    userId: null,
    parentUserId: null,
    username: null,
    name: null,
    at: at(0),
    isInbound: true,
    previous: null,
    ...change,
  };
}

/** A system message: what the user had, and what they have now. */
const note = (previous: Partial<FormerIds>, current: Partial<Sighting>) =>
  sighting({
    ...current,
    isInbound: false,
    previous: { phone: null, userId: null, parentUserId: null, ...previous },
  });

let sequence = 0;

function stored(change: Partial<Contact>): Contact {
  sequence += 1;
  return {
    id: newId(1_700_000_000_000 + sequence),
    phone: null,
    userId: null,
    parentUserId: null,
    username: null,
    name: null,
    lastInboundAt: null,
    ...change,
  };
}

/** A book with contacts, in which sightings were taken one after the other. */
function bookOf(contacts: Contact[], sightings: Sighting[], former: [string, string][] = []) {
  const book = new ContactBook(scope, contacts, new Map(former), phoneForms);
  const seen = sightings.map((each) => book.see(each));
  return { book, seen };
}

describe('a sighting of a user', () => {
  it('makes one contact of a number and a user id that come together', () => {
    const { book } = bookOf(
      [],
      [sighting({ phone, userId: 'US.1', name: 'Mia', username: '@mia' })],
    );
    expect(book.changed).toEqual([
      expect.objectContaining({
        phone,
        userId: 'US.1',
        name: 'Mia',
        username: '@mia',
        lastInboundAt: at(0),
      }),
    ]);
    expect(book.changes).toEqual([]);
  });

  it('makes one contact of two messages of an unknown user', () => {
    const { book, seen } = bookOf(
      [],
      [sighting({ phone, userId: 'US.1' }), sighting({ userId: 'US.1', at: at(1) })],
    );
    expect(seen[0]).toBe(seen[1]);
    expect(book.changed).toHaveLength(1);
  });

  it.each([
    ['a user id to a number', { phone }],
    ['a number to a user id', { userId: 'US.1' }],
  ])('adds %s that is known, and tells nobody', (_, known) => {
    const contact = stored(known);
    const { book } = bookOf([contact], [sighting({ phone, userId: 'US.1' })]);
    expect(book.changed).toEqual([
      expect.objectContaining({ id: contact.id, phone, userId: 'US.1' }),
    ]);
    expect(book.changes).toEqual([]);
  });

  it('writes nothing where nothing is new', () => {
    const contact = stored({ phone, userId: 'US.1', lastInboundAt: at(5) });
    const { book } = bookOf(
      [contact],
      [
        sighting({ phone, userId: 'US.1', isInbound: false, at: at(9) }),
        sighting({ phone, at: at(4) }),
      ],
    );
    expect(book.changed).toEqual([]);
    expect(book.moved).toEqual([]);
  });

  it('makes one of the contact of a number and the contact of a user id: the lower id stays', () => {
    const older = stored({ phone, lastInboundAt: at(3), name: 'Mia' });
    const newer = stored({ userId: 'US.1', lastInboundAt: at(1) });
    const { book } = bookOf([newer, older], [sighting({ phone, userId: 'US.1', at: at(2) })]);
    expect(book.changed).toEqual([
      { ...older, userId: 'US.1', phone, name: 'Mia', lastInboundAt: at(3) },
    ]);
    expect(book.merges).toEqual([{ id: newer.id, into: older.id }]);
    expect(book.survivorOf(newer.id)).toBe(older.id);
    expect(book.changes).toEqual([
      {
        ...scope,
        contactId: older.id,
        change: 'merged',
        previous: { contactId: newer.id, phone: null, userId: 'US.1' },
        current: { contactId: older.id, phone, userId: 'US.1' },
      },
    ]);
  });

  it.each(['older', 'newer'])(
    'keeps the number that the user writes from, where its contact is the %s one',
    (which) => {
      const first = { phone };
      const second = { phone: otherPhone, userId: 'US.1' };
      const [one, other] = which === 'older' ? [first, second] : [second, first];
      const { book } = bookOf([stored(one), stored(other)], [sighting({ phone, userId: 'US.1' })]);
      expect(book.changed).toEqual([expect.objectContaining({ phone, userId: 'US.1' })]);
      expect(book.changes.map(({ change, current }) => [change, current.phone])).toEqual([
        ['merged', phone],
        ['phone', phone],
      ]);
    },
  );

  it('gives a number that comes with another user id to another person', () => {
    const former = stored({ phone, userId: 'US.1' });
    const { book, seen } = bookOf([former], [sighting({ phone, userId: 'US.2' })]);
    expect(seen[0]).toMatchObject({ phone, userId: 'US.2' });
    expect(seen[0]?.id).not.toBe(former.id);
    expect(book.moved).toEqual([former.id]);
    expect(book.changes).toEqual([
      expect.objectContaining({
        contactId: former.id,
        change: 'phone',
        previous: { contactId: former.id, phone, userId: 'US.1' },
        current: { contactId: former.id, phone: null, userId: 'US.1' },
      }),
    ]);
  });

  it('takes the number of a user id that writes from another one, and tells of it', () => {
    const contact = stored({ phone, userId: 'US.1' });
    const { book } = bookOf([contact], [sighting({ phone: otherPhone, userId: 'US.1' })]);
    expect(book.changes).toEqual([
      expect.objectContaining({
        change: 'phone',
        previous: { contactId: contact.id, phone, userId: 'US.1' },
        current: { contactId: contact.id, phone: otherPhone, userId: 'US.1' },
      }),
    ]);
  });

  it('moves no number by a message from before the last one', () => {
    const contact = stored({ phone, userId: 'US.1', lastInboundAt: at(5) });
    const { book } = bookOf(
      [contact],
      [sighting({ phone: otherPhone, userId: 'US.1', at: at(4) })],
    );
    expect(book.changed).toEqual([]);
  });

  it('knows a mobile number of Brazil with and without the ninth digit', () => {
    const contact = stored({ phone: '+551187654321' });
    const { seen } = bookOf([contact], [sighting({ phone: '+5511987654321', userId: 'BR.1' })]);
    expect(seen[0]).toMatchObject({ id: contact.id, phone: '+551187654321', userId: 'BR.1' });
  });
});

describe('a note of the platform that a user has changed', () => {
  it('gives the contact its new user id, and remembers the one before', () => {
    const contact = stored({ phone, userId: 'US.1' });
    const { book } = bookOf([contact], [note({ userId: 'US.1' }, { userId: 'US.2' })]);
    expect(book.changed).toEqual([{ ...contact, userId: 'US.2' }]);
    expect([...book.replaced]).toEqual([['US.1', contact.id]]);
    expect(book.changes).toEqual([
      {
        ...scope,
        contactId: contact.id,
        change: 'user_id',
        previous: { contactId: contact.id, phone, userId: 'US.1' },
        current: { contactId: contact.id, phone, userId: 'US.2' },
      },
    ]);
  });

  it('tells what the user had before, also of a contact that was not known', () => {
    const { book, seen } = bookOf([], [note({ userId: 'US.1' }, { userId: 'US.2' })]);
    const { id = '' } = seen[0] ?? {};
    expect([...book.replaced]).toEqual([['US.1', id]]);
    expect(book.changes).toEqual([
      expect.objectContaining({
        change: 'user_id',
        previous: { contactId: id, phone: null, userId: 'US.1' },
        current: { contactId: id, phone: null, userId: 'US.2' },
      }),
    ]);
  });

  it('remembers the parent id that was replaced', () => {
    const contact = stored({ userId: 'US.1', parentUserId: 'US.ENT.1' });
    const { book } = bookOf(
      [contact],
      [
        note(
          { userId: 'US.1', parentUserId: 'US.ENT.1' },
          { userId: 'US.2', parentUserId: 'US.ENT.2' },
        ),
      ],
    );
    expect(book.changed).toEqual([{ ...contact, userId: 'US.2', parentUserId: 'US.ENT.2' }]);
    expect(new Map(book.replaced)).toEqual(
      new Map([
        ['US.1', contact.id],
        ['US.ENT.1', contact.id],
      ]),
    );
  });

  it('remembers no parent id that the user still has', () => {
    const contact = stored({ userId: 'US.1', parentUserId: 'US.ENT.1' });
    const same = { parentUserId: 'US.ENT.1' };
    const { book } = bookOf(
      [contact],
      [note({ userId: 'US.1', ...same }, { userId: 'US.2', ...same })],
    );
    expect([...book.replaced]).toEqual([['US.1', contact.id]]);
  });

  it('makes no contact where it does not say what the user has now', () => {
    const { book, seen } = bookOf([], [note({ userId: 'US.1' }, {}), sighting({})]);
    expect(seen).toEqual([null, null]);
    expect(book.changed).toEqual([]);
  });

  it('opens no window', () => {
    const { seen } = bookOf([], [note({ userId: 'US.1' }, { userId: 'US.2' })]);
    expect(seen[0]?.lastInboundAt).toBeNull();
  });

  it('tells a new number and a new user id as one change of the number', () => {
    const contact = stored({ phone, userId: 'US.1' });
    const { book } = bookOf(
      [contact],
      [note({ phone, userId: 'US.1' }, { phone: otherPhone, userId: 'US.2' })],
    );
    expect(book.changes.map(({ change }) => change)).toEqual(['phone']);
    expect(book.changed).toEqual([{ ...contact, phone: otherPhone, userId: 'US.2' }]);
    expect([...book.replaced]).toEqual([['US.1', contact.id]]);
  });

  it('changes nothing a second time', () => {
    const contact = stored({ userId: 'US.2' });
    const { book } = bookOf(
      [contact],
      [note({ userId: 'US.1' }, { userId: 'US.2' })],
      [['US.1', contact.id]],
    );
    expect(book.changes).toEqual([]);
    expect(book.changed).toEqual([]);
  });

  it('leads to the last user id in whatever order two notes come', () => {
    const first = note({ userId: 'US.1' }, { userId: 'US.2' });
    const second = note({ userId: 'US.2' }, { userId: 'US.3' });
    for (const notes of [
      [first, second],
      [second, first],
    ]) {
      const contact = stored({ userId: 'US.1' });
      const { book } = bookOf([contact], notes);
      const last = book.changed.at(-1);
      expect(last).toMatchObject({ userId: 'US.3' });
      expect(new Map(book.replaced)).toEqual(
        new Map([
          ['US.1', last?.id],
          ['US.2', last?.id],
        ]),
      );
      expect(book.survivorOf(contact.id)).toBe(last?.id);
    }
  });

  it('is not undone by a message that comes late under the old user id', () => {
    const contact = stored({ userId: 'US.1', lastInboundAt: at(1) });
    const { book, seen } = bookOf(
      [contact],
      [
        note({ userId: 'US.1' }, { userId: 'US.2' }),
        sighting({ phone, userId: 'US.1', at: at(2) }),
      ],
    );
    expect(seen[1]?.id).toBe(contact.id);
    expect(book.changed).toEqual([{ ...contact, userId: 'US.2', lastInboundAt: at(2) }]);
  });
});

describe('ids of the platform', () => {
  it.each([
    ['14155550123', phone],
    [phone, phone],
    ['120363418770915618@g.us', null],
    ['0', null],
    [null, null],
  ])('%s is the number %s', (digits, expected) => {
    expect(phoneOf(digits)).toBe(expected);
  });

  it.each([
    ['US.1349', 'US.1349'],
    ['US.ENT.11', 'US.ENT.11'],
    ['us.1', null],
    ['US.', null],
    ['US.1\0', null],
    [null, null],
  ])('%j is the user id %j', (text, expected) => {
    expect(userIdOf(text)).toBe(expected);
  });
});
