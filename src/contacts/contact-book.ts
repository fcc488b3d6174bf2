import { newId } from '../database/ids.js';
import {
  type Contact,
  type ContactChange,
  type ContactIds,
  type ContactScope,
  type Sighting,
} from './contact.js';

type Entry = { -readonly [Field in keyof Contact]: Contact[Field] };

/** A contact that turned out to be another one. */
export interface Merge {
  readonly id: string;
  readonly into: string;
}

/**
 * The contacts of one account and mode that a batch of sightings is about, and the rules by which they become what the
 * platform says. The user id tells who somebody is: a phone number that comes with another user id belongs to another
 * person from then on. Nothing here touches the database.
 */
export class ContactBook {
  readonly changes: ContactChange[] = [];
  readonly merges: Merge[] = [];
  /** User ids and parent ids that the platform has replaced and that are new to the ledger, each with the contact that had it. */
  readonly replaced = new Map<string, string>();
  private readonly entries = new Map<string, Entry>();
  private readonly loaded: ReadonlyMap<string, Contact>;
  private readonly touched = new Set<Entry>();
  private readonly formerIds: Map<string, string>;

  /**
   * @param formerIds replaced user ids, each with the id of its contact.
   * @param formsOf the numbers that mean the same user as a number of a sighting.
   */
  constructor(
    private readonly scope: ContactScope,
    contacts: readonly Contact[],
    formerIds: ReadonlyMap<string, string>,
    private readonly formsOf: (phone: string) => readonly string[],
  ) {
    this.loaded = new Map(contacts.map((contact) => [contact.id, contact]));
    for (const contact of contacts) this.entries.set(contact.id, { ...contact });
    this.formerIds = new Map(formerIds);
  }

  /** Contacts that are new or have changed, each as it is now. */
  get changed(): Contact[] {
    return [...this.touched];
  }

  /** Contacts whose stored number or user id is no longer theirs. */
  get moved(): string[] {
    return [...this.touched].flatMap(({ id, phone, userId }) => {
      const before = this.loaded.get(id);
      const isMoved = before && (before.phone !== phone || before.userId !== userId);
      return isMoved ? [id] : [];
    });
  }

  /** Takes a sighting and returns the contact that it is about, which a later merge may replace. */
  see(sighting: Sighting): Contact | null {
    if (sighting.phone === null && sighting.userId === null) return null;
    // What only a caller says changes no contact.
    if (sighting.isInbound || sighting.userId !== null || sighting.previous) {
      for (const each of [sighting.phone, sighting.previous?.phone]) if (each) this.unite(each);
    }
    const contact = sighting.previous
      ? this.follow(sighting, sighting.previous)
      : this.identify(sighting);
    this.describe(contact, sighting);
    const formerParent = sighting.previous?.parentUserId ?? null;
    if (formerParent !== null && formerParent !== contact.parentUserId) {
      this.replace(formerParent, contact);
    }
    return contact;
  }

  /**
   * Makes one contact of those that have forms of one number. If their user ids say that they are different people,
   * the one who wrote last has the number.
   * @returns the contact with the number; null where there is none.
   */
  unite(phone: string): Contact | null {
    let kept: Entry | null = null;
    for (const other of this.holdersOf(phone).toSorted(byClaim)) {
      if (kept === null) kept = other;
      else if (other.userId !== null) this.losePhone(other);
      else kept = this.merge(kept, other, { phone: kept.phone, userId: kept.userId });
    }
    return kept;
  }

  /** The contact that has replaced this one after all merges. */
  survivorOf(id: string): string {
    const merge = this.merges.find((each) => each.id === id);
    return merge ? this.survivorOf(merge.into) : id;
  }

  private identify(sighting: Sighting): Entry {
    const { phone, userId } = sighting;
    const ofUser = this.byUserId(userId);
    const ofPhone = this.byPhone(phone);
    // Reported under an id that was replaced since: it is late, and says nothing new about the ids.
    if (ofUser && ofUser.userId !== userId) return ofUser;
    if (!ofUser) {
      if (!ofPhone) return this.add({ phone, userId });
      if (userId === null) return ofPhone;
      if (ofPhone.userId === null) return this.change(ofPhone, { userId });
      if (isLate(sighting, ofPhone)) return this.add({ phone: null, userId });
      this.losePhone(ofPhone);
      return this.add({ phone, userId });
    }
    if (phone === null || ofPhone === ofUser || isLate(sighting, ofUser)) return ofUser;
    return this.movePhone(ofUser, phone, ofPhone);
  }

  /** The platform says that a user has another number or another user id. */
  private follow(sighting: Sighting, previous: ContactIds): Entry {
    const { phone, userId } = sighting;
    const before = this.byUserId(previous.userId) ?? this.byPhone(previous.phone);
    if (before && previous.userId !== null && this.formerIds.get(previous.userId) === before.id) {
      // Reported before, or overtaken by a report about the next id.
      if (userId !== null && !this.byUserId(userId)) this.replace(userId, before);
      return before;
    }
    let contact =
      before ?? this.byUserId(userId) ?? this.byPhone(phone) ?? this.add({ phone, userId });
    const had = before ?? previous;
    const was = { phone: had.phone, userId: had.userId };
    const target = this.byUserId(userId);
    if (target && target !== contact) {
      const { userId: lost } = contact;
      const { phone: kept } = contact.phone === null ? target : contact;
      contact = this.merge(contact, target, { phone: kept, userId: target.userId });
      if (lost !== null) this.replace(lost, contact);
    } else if (!target && userId !== null) {
      if (contact.userId !== null) this.replace(contact.userId, contact);
      this.change(contact, { userId });
    }
    if (previous.userId !== null && previous.userId !== contact.userId) {
      this.replace(previous.userId, contact);
    }
    const ofPhone = this.byPhone(phone);
    if (phone !== null && ofPhone !== contact) contact = this.takePhone(contact, phone, ofPhone);
    this.tell(contact, was);
    return contact;
  }

  private describe(contact: Entry, sighting: Sighting): void {
    const { parentUserId, username, name, at, isInbound } = sighting;
    this.change(contact, {
      ...(parentUserId !== null && { parentUserId }),
      ...(username !== null && { username }),
      ...(name !== null && { name }),
      ...(isInbound && { lastInboundAt: later(contact.lastInboundAt, at) }),
    });
  }

  /** @param holder who has the number so far. */
  private movePhone(contact: Entry, phone: string, holder: Entry | null): Entry {
    const was = { phone: contact.phone, userId: contact.userId };
    const moved = this.takePhone(contact, phone, holder);
    this.tell(moved, was);
    return moved;
  }

  /** Gives a number to a contact. A contact that has only the number is the same user. */
  private takePhone(contact: Entry, phone: string, holder: Entry | null): Entry {
    if (holder?.userId === null) {
      return this.merge(contact, holder, { phone: holder.phone, userId: contact.userId });
    }
    if (holder) this.losePhone(holder);
    return this.change(contact, { phone });
  }

  private losePhone(contact: Entry): void {
    const was = { phone: contact.phone, userId: contact.userId };
    this.change(contact, { phone: null });
    this.tell(contact, was);
  }

  /** Two contacts are one user: the one with the lower id stays. @param ids what the user has now. */
  private merge(one: Entry, other: Entry, ids: ContactIds): Entry {
    const [kept, lost] = one.id < other.id ? [one, other] : [other, one];
    const previous = { contactId: lost.id, phone: lost.phone, userId: lost.userId };
    this.entries.delete(lost.id);
    this.touched.delete(lost);
    this.merges.push({ id: lost.id, into: kept.id });
    for (const [id, contactId] of this.formerIds) {
      if (contactId === lost.id) this.formerIds.set(id, kept.id);
    }
    for (const [id, contactId] of this.replaced) {
      if (contactId === lost.id) this.replaced.set(id, kept.id);
    }
    this.change(kept, {
      ...ids,
      parentUserId: one.parentUserId ?? other.parentUserId,
      username: one.username ?? other.username,
      name: one.name ?? other.name,
      lastInboundAt: later(one.lastInboundAt, other.lastInboundAt),
    });
    const current = { contactId: kept.id, phone: kept.phone, userId: kept.userId };
    this.changes.push({ ...this.scope, contactId: kept.id, change: 'merged', previous, current });
    return kept;
  }

  /** The number decides: a user with a new number has a new user id, too. */
  private tell({ id, phone, userId }: Entry, was: ContactIds): void {
    const hasNewPhone = was.phone !== null && was.phone !== phone;
    if (!hasNewPhone && (was.userId === null || was.userId === userId)) return;
    this.changes.push({
      ...this.scope,
      contactId: id,
      change: hasNewPhone ? 'phone' : 'user_id',
      previous: { contactId: id, ...was },
      current: { contactId: id, phone, userId },
    });
  }

  private replace(userId: string, contact: Entry): void {
    if (this.formerIds.get(userId) === contact.id) return;
    this.formerIds.set(userId, contact.id);
    this.replaced.set(userId, contact.id);
  }

  private add({ phone, userId }: ContactIds): Entry {
    const contact: Entry = {
      id: newId(),
      phone,
      userId,
      parentUserId: null,
      username: null,
      name: null,
      lastInboundAt: null,
    };
    this.entries.set(contact.id, contact);
    this.touched.add(contact);
    return contact;
  }

  private change(contact: Entry, to: Partial<Contact>): Entry {
    for (const [field, value] of Object.entries(to)) {
      if (Reflect.get(contact, field) === value) continue;
      Reflect.set(contact, field, value);
      this.touched.add(contact);
    }
    return contact;
  }

  private byUserId(userId: string | null): Entry | null {
    if (userId === null) return null;
    for (const contact of this.entries.values()) if (contact.userId === userId) return contact;
    return this.entries.get(this.formerIds.get(userId) ?? '') ?? null;
  }

  private byPhone(phone: string | null): Entry | null {
    if (phone === null) return null;
    const holders = this.holdersOf(phone);
    return holders.find((holder) => holder.phone === phone) ?? holders[0] ?? null;
  }

  private holdersOf(phone: string): Entry[] {
    const forms = this.formsOf(phone);
    return [...this.entries.values()].filter(
      (entry) => entry.phone !== null && forms.includes(entry.phone),
    );
  }
}

/** Contacts with a user id come first, then those who wrote last. */
function byClaim(one: Contact, other: Contact): number {
  const lastMs = ({ lastInboundAt }: Contact) => lastInboundAt?.getTime() ?? 0;
  return Number(one.userId === null) - Number(other.userId === null) || lastMs(other) - lastMs(one);
}

/** A later sighting takes precedence. */
function isLate({ at }: Sighting, { lastInboundAt }: Contact): boolean {
  return lastInboundAt !== null && at < lastInboundAt;
}

function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? other : one;
}
