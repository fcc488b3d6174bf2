import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { raiseAlert, resolveAlert } from '../../alerts/alerts.js';
import { Config } from '../../config/config.js';
import { lines, plainArray, textArray } from '../../database/array-literals.js';
import { HotStatements } from '../../database/hot-statements.js';
import { newId } from '../../database/ids.js';
import { PeriodicWork } from '../../database/periodic-work.js';
import { LOGGER } from '../../logging/logging.module.js';
import { payloadWithId } from '../../messages/message.js';
import { TemplateDirectory } from '../../templates/sends/template-directory.js';
import { templateDraft } from '../../templates/sends/template-payloads.js';
import { withPlatformIds } from '../../uploads/uploaded-files.js';
import { type CampaignRow, type PauseReason, passingReasons, pauseAdvice } from '../campaign.js';
import { changeStatus } from '../campaign-changes.js';
import { type Addressee, CampaignFiles, type Filled, fillFor } from '../campaign-template.js';
import {
  countSql,
  keepResultsSql,
  lookSql,
  pendingSql,
  releaseStatement,
  roomSql,
} from './feeder-statements.js';

/** Recipients in one release. */
const batchMax = 200;

/** Releases of one campaign in a row, before others have their turn. */
const batchesMax = 10;

const keptAtOnce = 5_000;

const countedAtOnce = 20;

/** A campaign, and what is to be known before it goes on. */
interface Look extends CampaignRow {
  readonly accountVersion: string;
  readonly trouble: Exclude<PauseReason, 'operator'> | null;
  readonly isDue: boolean;
  readonly hasPending: boolean;
  readonly isSending: boolean;
}

interface PendingRecipient extends Addressee {
  readonly position: number;
  readonly reference: string | null;
}

/**
 * Feeds campaigns into the queue of messages: at most two seconds of pace ahead, so that single sends go on and a pause
 * stops the rest. Any number of workers may do so: what one of them releases, the others find released.
 */
@Injectable()
export class CampaignFeeder implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
    private readonly templates: TemplateDirectory,
    private readonly files: CampaignFiles,
    private readonly work: PeriodicWork,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.work.register('campaign-results', 3_600, () => this.keepResults());
    this.work.register('campaign-counts', 60, () => this.count());
  }

  /** Looks at all campaigns and takes each a step further. @param offer is told of messages that are queued now. */
  async feed(offer: (messageIds: string[]) => void): Promise<void> {
    const campaigns: Look[] = await this.dataSource.query(lookSql);
    for (const campaign of campaigns) await this.step(campaign, offer);
  }

  private async step(campaign: Look, offer: (messageIds: string[]) => void): Promise<void> {
    const { id, status, reason, trouble } = campaign;
    if (status === 'scheduled') {
      if (campaign.isDue)
        await changeStatus(this.dataSource, id, { to: 'running', from: ['scheduled'] });
    } else if (status === 'paused') {
      if (reason && passingReasons.includes(reason) && trouble === null)
        await this.resume(campaign, reason);
    } else if (!campaign.hasPending) {
      if (!campaign.isSending) {
        await changeStatus(this.dataSource, id, { to: 'completed', from: ['running'] });
      }
    } else if (trouble) {
      await this.pause(campaign, trouble);
    } else {
      await this.release(campaign, offer);
    }
  }

  /** Counts campaigns that have ended, less often the longer that is ago: reports still come in. */
  private async count(): Promise<void> {
    await this.dataSource.query(countSql, [countedAtOnce]);
  }

  private async pause(campaign: Look, reason: Exclude<PauseReason, 'operator'>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const change = { to: 'paused', from: ['running'], reason } as const;
      if (!(await changeStatus(manager, campaign.id, change))) return;
      await raiseAlert(manager, {
        accountId: campaign.accountId,
        kind: 'campaign_paused',
        subject: campaign.id,
        message: `The campaign “${campaign.name}” is paused. ${pauseAdvice[reason]}`,
        details: { campaign_id: campaign.id, reason },
      });
      this.logger.warn({ campaign_id: campaign.id, reason }, 'a campaign is paused');
    });
  }

  private async resume(campaign: Look, reason: PauseReason): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const change = { to: 'running', from: ['paused'], fromReason: reason } as const;
      if (!(await changeStatus(manager, campaign.id, change))) return;
      const { accountId, id: subject } = campaign;
      await resolveAlert(manager, { accountId, kind: 'campaign_paused', subject });
    });
  }

  private async release(campaign: Look, offer: (messageIds: string[]) => void): Promise<void> {
    for (let batch = 0; batch < batchesMax; batch += 1) {
      const [room]: { room: number }[] = await this.dataSource.query(roomSql, [
        campaign.id,
        batchMax,
      ]);
      if (!room || room.room <= 0) return;
      const pending: PendingRecipient[] = await this.dataSource.query(pendingSql, [
        campaign.id,
        room.room,
      ]);
      if (pending.length === 0) return;
      const filled = await this.fill(campaign, pending);
      if (!filled) return;
      const released = await this.statements.run<{ id: string }>(releaseStatement, [
        campaign.id,
        plainArray(pending.map(({ position }) => position)),
        plainArray(filled.map(({ id }) => id)),
        lines(filled.map(({ payload }) => payload)),
        textArray(filled.map(({ fault }) => fault)),
      ]);
      offer(released.map(({ id }) => id));
      if (pending.length < batchMax) return;
    }
  }

  /** The messages of recipients; null where the template is not as it was a moment ago. */
  private async fill(
    campaign: Look,
    recipients: readonly PendingRecipient[],
  ): Promise<{ id: string; payload: string | null; fault: string | null }[] | null> {
    const { accountId, apiKeyId, mode } = campaign;
    const template = await this.templates.findTemplate(
      { accountId, apiKeyId, mode, accountVersion: Number(campaign.accountVersion) },
      campaign.templateName,
      campaign.language,
    );
    if (!template?.mapping || !('filling' in template.mapping)) return null;
    const filled = recipients.map((recipient) => fillFor(template, recipient));
    const uses = filled.flatMap((one) => ('uses' in one ? one.uses : []));
    const files = await this.files.find({ accountId, mode }, uses);
    const ids = recipients.map(() => newId()).toSorted((a, b) => (a < b ? -1 : 1));
    return recipients.map((recipient, index) => {
      const id = ids[index] as string;
      const one = filled[index] as Filled;
      if ('faults' in one) return { id, payload: null, fault: 'invalid_variables' };
      const platformIds = new Map<string, string>();
      for (const { kind, mediaId } of one.uses) {
        const file = files.get(`${kind} ${mediaId}`);
        if (!file || 'fault' in file) return { id, payload: null, fault: 'media_expired' };
        platformIds.set(mediaId, file.platformId);
      }
      const components =
        platformIds.size > 0 ? withPlatformIds(one.components, platformIds) : one.components;
      const { payload } = templateDraft(template, recipient, components, {});
      return { id, payload: JSON.stringify(payloadWithId(payload, id)), fault: null };
    });
  }

  /** Before messages are deleted, their recipients get what became of them. */
  private async keepResults(): Promise<void> {
    for (;;) {
      const [, kept]: [unknown, number] = await this.dataSource.query(keepResultsSql, [
        // Half of the time for which the messages are kept.
        this.config.retentionDays * 12,
        keptAtOnce,
      ]);
      if (kept < keptAtOnce) return;
    }
  }
}
