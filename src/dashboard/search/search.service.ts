import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { ContactSearch } from '../../contacts/search/contact-search.js';
import { readSearch } from '../../contacts/search/search-query.js';
import { contactResult } from './contact-result.js';
import { findPages } from './dashboard-pages.js';
import { findErrors } from './error-search.js';
import { EventSearch } from './event-search.js';
import { ManagedSearch } from './managed-search.js';
import { MessageSearch, messagesToNumber } from './message-search.js';
import { RequestSearch } from './request-search.js';
import type { SearchQueryDto, SearchResultsDto } from './search.dto.js';
import { SearchScope } from './search-scope.js';

const resultsMax = 20;

/** How many of each kind at most. */
const most = { page: 3, contact: 4, message: 5, event: 2, key: 3, template: 3, named: 2, error: 3 };

/** One search for everything in the dashboard. */
@Injectable()
export class SearchService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly contacts: ContactSearch,
    private readonly messages: MessageSearch,
    private readonly events: EventSearch,
    private readonly managed: ManagedSearch,
    private readonly requests: RequestSearch,
  ) {}

  /** @throws AppError NOT_FOUND for another account */
  async search(user: SignedInUser, asked: SearchQueryDto): Promise<SearchResultsDto> {
    const query = readSearch(asked.q);
    const scope = await this.scopeOf(accountScope(user, asked.account_id));
    const pages = findPages(query.text, user.role, most.page);
    const isOperator = user.role === 'operator';
    if (query.text === '' || (scope.accountIds.length === 0 && !isOperator))
      return { results: pages };
    const [contacts, events, requests, keys, templates, named, operated] = await Promise.all([
      this.contacts.find(query, scope.accountIds, most.contact),
      this.events.find(query.eventId, scope, most.event),
      this.requests.find(query.requestId, scope),
      this.managed.findKeys(query, scope, most.key),
      this.managed.findTemplates(query, scope, most.template),
      this.managed.findNamed(query, scope, most.named),
      isOperator ? this.managed.findOperated(query, most.named) : [],
    ]);
    const isOfNumber = query.phoneStart !== null || query.phoneEnds.length > 0;
    const ofContacts = isOfNumber ? contacts.flatMap(({ phone }) => phone ?? []) : [];
    const forms = isOfNumber ? contacts.flatMap(({ phones }) => phones) : [];
    const numbers = [...new Set([...query.phones, ...forms])];
    const messages = await this.messages.find(query, numbers, scope, most.message);
    const only = [...new Set(ofContacts)];
    const isSent = query.phones.some((phone) => messages.recipients.has(phone));
    const number = only.length > 0 ? only : query.phones.slice(0, isSent ? 1 : 0);
    const [first, ...others] = number;
    return {
      results: [
        ...pages,
        ...contacts.map((contact) => contactResult(contact, scope)),
        ...messages.results,
        ...(first !== undefined && others.length === 0 ? [messagesToNumber(first)] : []),
        ...events,
        ...requests,
        ...keys,
        ...templates,
        ...named,
        ...operated,
        ...findErrors(query.text, most.error),
      ].slice(0, resultsMax),
    };
  }

  private async scopeOf(accountId: string | null): Promise<SearchScope> {
    const accounts = await this.dataSource.getRepository(AccountEntity).find({
      select: { id: true, name: true },
      where: accountId === null ? {} : { id: accountId },
    });
    return new SearchScope(accounts);
  }
}
