import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { ContactSearch } from '../contacts/search/contact-search.js';
import { readSearch } from '../contacts/search/search-query.js';
import { lines, plainArray, textArray } from '../database/array-literals.js';
import { AppError, validationError } from '../errors/app-error.js';
import { findItemFaults } from '../http/validation/compiled-rules.js';
import { TemplateMessages } from '../templates/sends/template-messages.service.js';
import { CampaignReads, type CampaignScope, type RecipientMatch } from './campaign-reads.js';
import * as sql from './campaign-recipients.statements.js';
import { CampaignFiles, fillFor } from './campaign-template.js';
import {
  type AddedRecipientsDto,
  type CampaignDto,
  CampaignRecipientDto,
  type CampaignRecipientsDto,
  type DashboardRecipientListDto,
  type InvalidRecipientDto,
  type NewRecipientsDto,
} from './campaigns.dto.js';
import { CampaignsService, stateError } from './campaigns.service.js';

const recipientsMax = 100_000;

/** A name that more contacts have says too little. */
const contactsMax = 100;

/** A page of the recipients that are asked for. */
export type RecipientPage = Pick<
  DashboardRecipientListDto,
  'status' | 'code' | 'q' | 'limit' | 'cursor'
>;

/** Recipients that have been looked at, and may be added. */
export interface CheckedRecipients {
  readonly campaign: CampaignDto;
  /** Those that are right, and their places. */
  readonly given: readonly CampaignRecipientDto[];
  readonly valid: readonly number[];
  readonly invalid: InvalidRecipientDto[];
}

/** The recipients of campaigns. */
@Injectable()
export class CampaignRecipients {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly reads: CampaignReads,
    private readonly templates: TemplateMessages,
    private readonly files: CampaignFiles,
    private readonly contacts: ContactSearch,
  ) {}

  /**
   * Looks at recipients before the transaction that adds them.
   * @throws AppError CAMPAIGN_NOT_FOUND; template errors
   */
  async check(
    id: string,
    caller: Principal,
    { recipients }: NewRecipientsDto,
  ): Promise<CheckedRecipients> {
    const campaign = await this.campaigns.get(id, caller);
    const { valid, invalid } = await this.judge(caller, campaign, recipients);
    const given = valid.map((index) => recipients[index] as CampaignRecipientDto);
    return { campaign, given, valid, invalid };
  }

  /**
   * Adds recipients to a draft. Those that are wrong are named in the answer and prevent no others.
   * @throws AppError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE after the start; VALIDATION_ERROR for more than 100,000
   */
  async add(
    { campaign, given, valid, invalid }: CheckedRecipients,
    caller: Principal,
    manager: EntityManager,
  ): Promise<AddedRecipientsDto> {
    const row = await sql.lockCampaignStatus.row(manager, { id: campaign.id });
    if (row?.status !== 'draft') throw stateError(row ?? campaign);
    const added = await sql.addCampaignRecipients.row(manager, {
      campaignId: campaign.id,
      accountId: caller.accountId,
      mode: caller.mode,
      places: plainArray(valid),
      recipients: textArray(given.map(({ to }) => to ?? null)),
      userIds: textArray(given.map(({ to_user_id: userId }) => userId ?? null)),
      variables: lines(given.map(({ variables }) => JSON.stringify(variables ?? {}))),
      references: textArray(given.map(({ reference }) => reference ?? null)),
    });
    if (!added) throw new AppError('CAMPAIGN_NOT_FOUND');
    if (added.total > recipientsMax) {
      throw validationError({
        recipients: `must not make more than ${recipientsMax} in all; the campaign has ${added.total - added.added}`,
      });
    }
    return {
      added: added.added,
      duplicates: valid.length - added.added,
      invalid,
      total: added.total,
    };
  }

  /** In the order in which they were added. @throws AppError CAMPAIGN_NOT_FOUND */
  async list(
    id: string,
    scope: CampaignScope,
    filter: RecipientPage,
  ): Promise<CampaignRecipientsDto> {
    const campaign = await this.campaigns.get(id, scope);
    const rows = await this.reads.recipients(campaign.id, {
      status: filter.status,
      code: filter.code,
      match: filter.q === undefined ? undefined : await this.read(filter.q, campaign),
      after: Number(filter.cursor ?? 0),
      limit: filter.limit + 1,
    });
    const page = rows.slice(0, filter.limit);
    const last = rows.length > filter.limit ? page.at(-1) : undefined;
    return {
      recipients: page.map(({ view }) => view),
      next_cursor: last ? String(last.position) : null,
    };
  }

  /** Whom a text can mean, by the contacts of the campaign's account too. */
  private async read(typed: string, campaign: CampaignDto): Promise<RecipientMatch> {
    const query = readSearch(typed);
    const found = await this.contacts.find(query, [campaign.account_id], contactsMax);
    const contacts = found.filter(({ mode }) => mode === campaign.mode);
    return {
      referenceStart: query.text,
      phones: [...query.phones, ...contacts.flatMap(({ phones }) => phones)],
      ends: query.phoneEnds,
      userIds: [query.userId, ...contacts.map(({ userId }) => userId)].filter((id) => id !== null),
    };
  }

  /** Which of the given recipients are right, by their places, and what is wrong with the others. */
  private async judge(
    caller: Principal,
    campaign: { readonly template_name: string; readonly language: string },
    recipients: readonly object[],
  ): Promise<{ valid: number[]; invalid: InvalidRecipientDto[] }> {
    const template = await this.templates.findMapped(caller, campaign);
    const checked = recipients.map((recipient) => {
      const faults = findItemFaults(CampaignRecipientDto, recipient);
      return Object.keys(faults).length > 0 ? { faults } : fillFor(template, recipient);
    });
    const uses = checked.flatMap((one) => ('uses' in one ? one.uses : []));
    const files = await this.files.find(caller, uses);
    const valid: number[] = [];
    const invalid: InvalidRecipientDto[] = [];
    for (const [index, one] of checked.entries()) {
      const fields =
        'faults' in one
          ? one.faults
          : Object.fromEntries(
              one.uses.flatMap(({ field, kind, mediaId }) => {
                const file = files.get(`${kind} ${mediaId}`);
                return file && 'fault' in file ? [[field, file.fault]] : [];
              }),
            );
      if (Object.keys(fields).length > 0) invalid.push({ index, fields });
      else valid.push(index);
    }
    return { valid, invalid };
  }
}
