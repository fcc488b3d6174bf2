import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { accountIdsOf, ContactSearch } from '../contacts/search/contact-search.js';
import { readSearch } from '../contacts/search/search-query.js';
import { firstIdAt, timeOfId } from '../database/ids.js';
import { MessageMatches } from '../messages/reads/message-matches.js';

/** What a list of deliveries is restricted to by a text. */
export type DeliveryMatch =
  /** The id of a delivery, of its event, or of its message. */
  | ({ readonly id: string } & ReturnType<typeof aroundEvent>)
  /** Messages alone; indexes find their deliveries. */
  | { readonly messageIds: readonly string[] }
  /** Messages, or users, who are looked for in bodies. */
  | {
      readonly messagesOfText: readonly string[];
      readonly users: readonly string[];
      readonly userIds: readonly string[];
    };

const messagesMax = 1_000;

/** A name that more contacts have says too little. */
const contactsMax = 50;

/**
 * A delivery is stored with its event, and its id is made right after that of the event. So an event is found among the
 * deliveries with ids of about its time, and needs no index.
 */
export function aroundEvent(eventId: string): { eventFirstId: string; eventEndId: string } {
  const at = timeOfId(eventId);
  return { eventFirstId: firstIdAt(Math.max(0, at - 1_000)), eventEndId: firstIdAt(at + 5_000) };
}

/** Reads what people type who look for deliveries. */
@Injectable()
export class DeliveryMatches {
  constructor(
    private readonly dataSource: DataSource,
    private readonly contacts: ContactSearch,
    private readonly messages: MessageMatches,
  ) {}

  /** @param accountId whose deliveries are listed; null: of all accounts. */
  async read(typed: string, accountId: string | null): Promise<DeliveryMatch> {
    const query = readSearch(typed);
    const { eventId } = query;
    if (eventId !== null) return { id: eventId, ...aroundEvent(eventId) };
    const accounts = await accountIdsOf(this.dataSource, accountId);
    const [contacts, messageIds] = await Promise.all([
      this.contacts.find(query, accounts, contactsMax),
      this.messages.ids(query, [], accounts, messagesMax),
    ]);
    const users = [...query.phones, ...contacts.flatMap(({ phones }) => phones)];
    const userIds = [query.userId, ...contacts.map(({ userId }) => userId)].filter(
      (one) => one !== null,
    );
    if (users.length + userIds.length === 0) return { messageIds };
    return { messagesOfText: messageIds, users, userIds: userIds.map(asPattern) };
  }
}

/** A user id for a regular expression. */
export const asPattern = (userId: string) => userId.replaceAll('.', '[.]');
