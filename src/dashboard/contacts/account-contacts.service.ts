import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { AuditLog } from '../../audit/audit-log.js';
import type {
  ConsentImportDto,
  ConsentImportedDto,
  ConsentsDto,
} from '../../consents/consents.dto.js';
import { ConsentsService } from '../../consents/consents.service.js';
import type { ContactScope } from '../../contacts/contact.js';
import { exportConsents } from '../../contacts/contact-consents.js';
import {
  ContactReads,
  type ContactRecord,
  type WriterFilter,
} from '../../contacts/contact-reads.js';
import { ContactWindows } from '../../contacts/contact-windows.js';
import type { ContactWindowDto } from '../../contacts/contacts.dto.js';
import { contactView, windowView } from '../../contacts/contacts.service.js';
import { accountIdsOf, ContactSearch } from '../../contacts/search/contact-search.js';
import { readSearch, wordFormsOf } from '../../contacts/search/search-query.js';
import { noSuch, validationError } from '../../errors/app-error.js';
import { csvLine, textCell } from '../../http/csv.js';
import type { Reply } from '../../http/request.js';
import { MessagesService } from '../../messages/reads/messages.service.js';
import type {
  ConsentOwnerDto,
  DashboardConsentDto,
  DashboardContactAnswerDto,
  DashboardContactDto,
  DashboardContactListDto,
  DashboardContactsDto,
  DashboardWindowQueryDto,
} from './account-contacts.dto.js';

const latestMessages = 8;

/** A text that finds as many contacts as these is looked for while the list is read. */
const namedMax = 200;

/** Contacts of whole accounts, of both modes, and what they want to get. */
@Injectable()
export class AccountContacts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: ContactReads,
    private readonly search: ContactSearch,
    private readonly windows: ContactWindows,
    private readonly consents: ConsentsService,
    private readonly messages: MessagesService,
    private readonly audit: AuditLog,
  ) {}

  /** @throws AppError NOT_FOUND for another account */
  async list(user: SignedInUser, filter: DashboardContactListDto): Promise<DashboardContactsDto> {
    const accountId = accountScope(user, filter.account_id);
    const accounts = await accountIdsOf(this.dataSource, accountId);
    const { contacts, next } = await this.reads.listWriters(
      accounts,
      filter.mode ? [filter.mode] : ['live', 'test'],
      {
        ...(await this.searched(filter.search, accounts)),
        optedOutOf: filter.opted_out,
        after: filter.cursor,
        limit: filter.limit,
      },
    );
    return { contacts: contacts.map(viewOf), next_cursor: next };
  }

  /** @throws AppError NOT_FOUND, also for a contact of another account. */
  async get(user: SignedInUser, id: string): Promise<DashboardContactAnswerDto> {
    const contact = await this.find(user, id);
    const formerIds = await this.reads.formerUserIds(contact.id);
    const phones = await this.reads.phonesOf(contact);
    const userIds = contact.userId === null ? formerIds : [contact.userId, ...formerIds];
    const [window, consents, messages] = await Promise.all([
      this.windows.findWindow(contact, contact),
      this.consents.get(idsOf(contact), contact),
      this.messages.latestTo(contact, phones, userIds, latestMessages),
    ]);
    return {
      contact: {
        ...viewOf(contact),
        former_user_ids: formerIds,
        window: windowView(window),
        consents,
        messages,
      },
    } satisfies DashboardContactAnswerDto;
  }

  /** The window of anybody, also of somebody who is no contact yet. @throws AppError NOT_FOUND, VALIDATION_ERROR */
  async window(user: SignedInUser, asked: DashboardWindowQueryDto): Promise<ContactWindowDto> {
    const ids = { phone: asked.phone ?? null, userId: asked.user_id ?? null };
    return windowView(await this.windows.findWindow(await this.ownerOf(user, asked), ids));
  }

  /**
   * Records what a contact said to somebody.
   * @throws AppError NOT_FOUND
   */
  async setConsent(
    user: SignedInUser,
    id: string,
    { scope, state, evidence }: DashboardConsentDto,
  ): Promise<ConsentsDto> {
    const contact = await this.find(user, id);
    const consent = { ...idsOf(contact), scope, state, source: 'dashboard', evidence };
    return this.consents.put(consent, contact, async (manager, [outcome]) => {
      if (!outcome?.isStored) return;
      await this.audit.record(manager, user.actor, {
        action: 'contact.consent_set',
        accountId: contact.accountId,
        subjectId: contact.id,
        subjectName: contact.phone ?? contact.userId,
        details: { scope, state, evidence },
      });
    });
  }

  /** @throws AppError NOT_FOUND, VALIDATION_ERROR when an operator names no account. */
  async importConsents(
    user: SignedInUser,
    owner: ConsentOwnerDto,
    { items }: ConsentImportDto,
  ): Promise<ConsentImportedDto> {
    const scope = await this.ownerOf(user, owner);
    const withSource = items.map((item) => ({ source: 'import', ...withoutNull(item) }));
    return this.consents.import({ items: withSource }, scope, async (manager, outcomes) => {
      const stored = outcomes.filter(({ isStored }) => isStored).length;
      if (stored === 0) return;
      await this.audit.record(manager, user.actor, {
        action: 'contact.consents_imported',
        accountId: scope.accountId,
        subjectId: null,
        subjectName: null,
        details: { stored, mode: scope.mode },
      });
    });
  }

  /**
   * Sends what counts for every contact that has said something, as CSV that an import takes back.
   * @throws AppError NOT_FOUND, VALIDATION_ERROR when an operator names no account.
   */
  async sendConsents(user: SignedInUser, owner: ConsentOwnerDto, reply: Reply): Promise<void> {
    const scope = await this.ownerOf(user, owner);
    void reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="consents-${scope.mode}.csv"`,
      'cache-control': 'private, no-store',
    });
    await reply.send(Readable.from(this.lines(scope)));
  }

  private async *lines(scope: ContactScope): AsyncGenerator<string> {
    yield csvLine(['phone', 'user_id', 'scope', 'state', 'source', 'evidence', 'said_at']);
    for await (const page of exportConsents(this.dataSource, scope)) {
      yield page
        .map(({ phone, userId, scope: of, state, source, evidence, at }) =>
          csvLine([
            phone ?? '',
            userId ?? '',
            of,
            state,
            textCell(source),
            textCell(evidence),
            at.toISOString(),
          ]),
        )
        .join('');
    }
  }

  /** What a person types who looks for a contact. */
  private async searched(
    text: string | undefined,
    accounts: readonly string[],
  ): Promise<Pick<WriterFilter, 'userId' | 'ids' | 'like'>> {
    const query = readSearch(text ?? '');
    const { userId, phoneStart, phoneEnds } = query;
    if (query.text === '') return {};
    if (userId !== null) return { userId };
    const contacts = await this.search.find(query, accounts, namedMax);
    return contacts.length < namedMax
      ? { ids: contacts.map(({ id }) => id) }
      : {
          like: {
            phoneStart,
            phoneEnds,
            wordForms: wordFormsOf(query),
            start: query.text.toLowerCase(),
          },
        };
  }

  private async find(user: SignedInUser, id: string): Promise<ContactRecord> {
    const scope = { accountId: accountScope(user), mode: null };
    const contact = isUUID(id) ? await this.reads.findContact(id.toLowerCase(), scope) : null;
    if (!contact) throw noSuch('contact');
    return contact;
  }

  private async ownerOf(
    user: SignedInUser,
    given: Pick<ConsentOwnerDto, 'account_id' | 'mode'>,
  ): Promise<ContactScope> {
    const accountId = accountScope(user, given.account_id);
    if (accountId === null) throw validationError({ account_id: 'is required' });
    const isThere = await this.dataSource.getRepository(AccountEntity).existsBy({ id: accountId });
    if (!isThere) throw noSuch('account');
    return { accountId, mode: given.mode ?? 'live' };
  }
}

function viewOf(contact: ContactRecord) {
  return {
    ...contactView(contact),
    account_id: contact.accountId,
    mode: contact.mode,
    opted_out: contact.optedOutOf,
    first_seen_at: contact.createdAt,
  } satisfies DashboardContactDto;
}

/** The ids that find exactly this contact. */
function idsOf({ phone, userId }: ContactRecord) {
  return phone === null ? { user_id: userId } : { phone };
}

/** An import's empty cells say nothing. */
function withoutNull(item: object): object {
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) => name !== 'source' || value !== null),
  );
}
