import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { lines, plainArray, textArray } from '../database/array-literals.js';
import { AppError, validationError } from '../errors/app-error.js';
import { findItemFaults } from '../http/validation/compiled-rules.js';
import { TemplateMessages } from '../templates/sends/template-messages.service.js';
import { CampaignReads, type CampaignScope } from './campaign-reads.js';
import { CampaignFiles, fillFor } from './campaign-template.js';
import {
  type AddedRecipientsDto,
  type CampaignDto,
  CampaignRecipientDto,
  type CampaignRecipientsDto,
  type InvalidRecipientDto,
  type NewRecipientsDto,
  type RecipientListDto,
} from './campaigns.dto.js';
import { CampaignsService, stateError } from './campaigns.service.js';
import { addressOf, namesToday, recipientsNamed } from './recipient-identity.js';

const recipientsMax = 100_000;

/** Recipients that have been looked at, and may be added. */
export interface CheckedRecipients {
  readonly campaign: CampaignDto;
  /** Those that are right, and their places. */
  readonly given: readonly CampaignRecipientDto[];
  readonly valid: readonly number[];
  readonly invalid: InvalidRecipientDto[];
}

/** Adds the persons that the campaign does not have, in their order; its row is locked. */
const addSql = `
  with input as materialized (
    select t.*, ${addressOf('t')} as address, ${namesToday('t')} as names
    from (select $2::uuid as account_id, $3::text as mode, u.* from unnest($4::int[], $5::text[], $6::text[],
      string_to_array($7, E'\\n'), $8::text[]) as u (place, recipient, to_user_id, variables, reference)) t
  ), first as materialized (
    select name, min(i.place) as place from input i cross join unnest(i.names) as name group by name
  ), fresh as materialized (
    select i.* from input i
    where not exists (select from first f where f.name = any (i.names) and f.place < i.place)
      and not exists (${recipientsNamed({ columns: '', campaignId: '$1', names: 'i.names', condition: 'true' })})
  ), counted as (
    update campaigns set total = total + (select count(*) from fresh) where id = $1 returning total
  ), added as (
    insert into campaign_recipients (campaign_id, position, recipient, to_user_id, address, variables, reference)
    select $1, c.total - (select count(*) from fresh) + row_number() over (order by f.place),
      f.recipient, f.to_user_id, f.address, f.variables::json, f.reference
    from fresh f cross join counted c
  )
  select (select count(*)::int from fresh) as added, total from counted`;

/** The recipients of campaigns. */
@Injectable()
export class CampaignRecipients {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly reads: CampaignReads,
    private readonly templates: TemplateMessages,
    private readonly files: CampaignFiles,
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
    const [row]: { status: 'draft' }[] = await manager.query(
      'select status from campaigns where id = $1 for update',
      [campaign.id],
    );
    if (row?.status !== 'draft') throw stateError(row ?? campaign);
    const [added]: { added: number; total: number }[] = await manager.query(addSql, [
      campaign.id,
      caller.accountId,
      caller.mode,
      plainArray(valid),
      textArray(given.map(({ to }) => to ?? null)),
      textArray(given.map(({ to_user_id: userId }) => userId ?? null)),
      lines(given.map(({ variables }) => JSON.stringify(variables ?? {}))),
      textArray(given.map(({ reference }) => reference ?? null)),
    ]);
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
    filter: Pick<RecipientListDto, 'status' | 'code' | 'limit' | 'cursor'>,
  ): Promise<CampaignRecipientsDto> {
    const campaign = await this.campaigns.get(id, scope);
    const rows = await this.reads.recipients(campaign.id, {
      status: filter.status,
      code: filter.code,
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
