import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ContactConsent } from '../contacts/consent.js';
import type { ContactScope, Sighting } from '../contacts/contact.js';
import {
  type ConsentNow,
  type ConsentOutcome,
  readConsents,
} from '../contacts/contact-consents.js';
import { ContactLedger } from '../contacts/contact-ledger.js';
import type { UserIdsDto } from '../contacts/contacts.dto.js';
import { Turns } from '../database/transactions/turns.js';
import { findItemFaults } from '../http/validation/compiled-rules.js';
import type { Written } from '../idempotency/repeated-requests.js';
import { ConsentChanges } from './consent-changes.js';
import {
  type ConsentImportDto,
  type ConsentImportedDto,
  type ConsentNowDto,
  type ConsentResultDto,
  type ConsentsDto,
  NewConsentDto,
} from './consents.dto.js';

/** Something that is written together with consents. */
type InTransaction = (manager: EntityManager, outcomes: readonly ConsentOutcome[]) => Promise<void>;

/** What recording consents waits for: writers of one account's contacts wait for each other in the ledger. */
export const consentsTurn = ({ accountId, mode }: ContactScope) => `contacts ${accountId} ${mode}`;

/** Consents, for callers. */
@Injectable()
export class ConsentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: ContactLedger,
    private readonly changes: ConsentChanges,
    private readonly turns: Turns,
  ) {}

  async get({ phone, user_id }: UserIdsDto, scope: ContactScope): Promise<ConsentsDto> {
    const ids = { phone: phone ?? null, userId: user_id ?? null };
    const { contactId, now, history } = await readConsents(this.dataSource, scope, ids);
    return {
      contact_id: contactId,
      marketing: nowView(now.marketing),
      all: nowView(now.all),
      history: history.map(({ scope: of, state, source, evidence, at, recordedAt }) => ({
        scope: of,
        state,
        source,
        evidence,
        at,
        recorded_at: recordedAt,
      })),
    };
  }

  /** Records a consent. When this returns, nothing that it forbids is sent any more. */
  async put(
    given: NewConsentDto,
    scope: ContactScope,
    alsoInTransaction?: InTransaction,
  ): Promise<ConsentsDto> {
    await this.alone(scope, (manager) => this.record(manager, [given], scope, alsoInTransaction));
    return this.get(given, scope);
  }

  /** Records those of many consents that are valid, in their order. */
  import(
    given: ConsentImportDto,
    scope: ContactScope,
    alsoInTransaction?: InTransaction,
  ): Promise<ConsentImportedDto> {
    return this.alone(scope, (manager) => this.importIn(manager, given, scope, alsoInTransaction));
  }

  /** The same in a transaction that has its `consentsTurn`. */
  async importIn(
    manager: EntityManager,
    { items }: ConsentImportDto,
    scope: ContactScope,
    alsoInTransaction?: InTransaction,
  ): Promise<Written<ConsentImportedDto>> {
    const faults = items.map(faultsOf);
    const valid = items.filter((_, index) => faults[index] === null) as NewConsentDto[];
    const { answer, publish } = await this.record(manager, valid, scope, alsoInTransaction);
    const outcomes = answer.values();
    const results = faults.map((error, index): ConsentResultDto => {
      if (error) return { index, status: 'invalid', error };
      return { index, status: outcomes.next().value?.isStored ? 'stored' : 'unchanged' };
    });
    return { answer: { results }, publish };
  }

  /** Writes in a transaction of its own. */
  private async alone<T>(
    scope: ContactScope,
    write: (manager: EntityManager) => Promise<Written<T>>,
  ): Promise<T> {
    const { answer, publish } = await this.turns.take(consentsTurn(scope), () =>
      this.dataSource.transaction(write),
    );
    publish?.();
    return answer;
  }

  private async record(
    manager: EntityManager,
    given: readonly NewConsentDto[],
    scope: ContactScope,
    alsoInTransaction?: InTransaction,
  ): Promise<Written<readonly ConsentOutcome[]>> {
    if (given.length === 0) return { answer: [] };
    const { contactIds } = await this.ledger.learn(
      manager,
      given.map((consent) => sightingOf(consent, scope)),
    );
    const changes = await this.changes.record(
      manager,
      given.map((consent, index) => consentOf(consent, scope, contactIds[index] ?? null)),
    );
    await alsoInTransaction?.(manager, changes.outcomes);
    return { answer: changes.outcomes, publish: () => this.changes.publish(changes) };
  }
}

/** A caller names a contact; only WhatsApp says which number and user id belong together. */
function sightingOf({ phone, user_id }: UserIdsDto, scope: ContactScope): Sighting {
  return {
    accountId: scope.accountId,
    mode: scope.mode,
    phone: phone ?? null,
    userId: phone ? null : (user_id ?? null),
    parentUserId: null,
    username: null,
    name: null,
    at: new Date(),
    isInbound: false,
    previous: null,
  };
}

function consentOf(
  { scope, state, source, evidence }: NewConsentDto,
  { accountId, mode }: ContactScope,
  contactId: string | null,
): ContactConsent {
  if (contactId === null) throw new Error('a consent names nobody');
  return {
    accountId,
    mode,
    contactId,
    scope,
    state,
    source: source ?? 'api',
    evidence: evidence ?? null,
    at: null,
  };
}

function faultsOf(item: object): Record<string, string> | null {
  const faults = findItemFaults(NewConsentDto, item);
  return Object.keys(faults).length > 0 ? faults : null;
}

function nowView({ state, since, source }: ConsentNow): ConsentNowDto {
  return { state, since, source };
}
