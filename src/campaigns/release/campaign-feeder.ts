import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { resolveAlert } from '../../alerts/alerts.js';
import { Config } from '../../config/config.js';
import { lines, plainArray, textArray } from '../../database/array-literals.js';
import { HotStatements } from '../../database/hot-statements.js';
import { newId } from '../../database/ids.js';
import { PeriodicWork } from '../../database/periodic-work.js';
import type { Row } from '../../database/statements/statement.js';
import { LOGGER } from '../../logging/logging.module.js';
import { payloadWithId } from '../../messages/message.js';
import { TemplateDirectory } from '../../templates/sends/template-directory.js';
import { templateDraft } from '../../templates/sends/template-payloads.js';
import { type PlatformFile, withFiles } from '../../uploads/uploaded-files.js';
import { type PauseReason, passingReasons } from '../campaign.js';
import { changeStatus, pauseWithAlert, type StatusChange } from '../campaign-changes.js';
import { CampaignFiles, fillFor } from '../campaign-template.js';
import * as sql from './campaign-feeder.statements.js';
import { nextRecipients, releaseRecipients } from './campaign-release.statements.js';
import { troubleOf } from './campaign-troubles.js';

/** Recipients in one release. */
const batchMax = 200;

/** Releases in a row, before what has changed since is looked at. */
const batchesMax = 10;

/** Changes of campaigns at a time. */
const sideBySide = 4;

const keptAtOnce = 5_000;

const countedAtOnce = 20;

/** A campaign, what is to be known before it goes on, and why it may not. */
type Look = Readonly<Row<typeof sql.lookAtCampaigns>> & {
  readonly trouble: ReturnType<typeof troubleOf>;
};

/** Times a question to the database, and notes whether it was answered. */
type Ask = <T>(question: () => Promise<T>) => Promise<T>;

type NextRecipient = Readonly<Row<typeof nextRecipients>>;

/** A recipient with their message, or with what is wrong with it. */
interface FilledRecipient {
  readonly campaignId: string;
  readonly position: number;
  readonly id: string;
  readonly payload: string | null;
  readonly fault: string | null;
}

/** Whether it may release recipients: one that is paused because of its number, the one that shows whether it works again. */
const mayRelease = ({ status, reason, trouble, isProbeOpen, hasPending }: Look) =>
  hasPending &&
  ((status === 'running' && trouble === null) ||
    (reason === 'number_paused' && trouble === 'number_paused' && isProbeOpen));

/**
 * Feeds campaigns into the queue of messages: at most two seconds of pace ahead, so that single sends go on and a pause
 * stops the rest. Any number of workers may do so: what one of them releases, the others find released.
 */
@Injectable()
export class CampaignFeeder implements OnModuleInit {
  /** Campaigns that might release recipients when they were looked at last. */
  private running: ReadonlyMap<string, Look> = new Map();

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

  /** Looks at all campaigns: begins, pauses, resumes and ends them. Afterwards `feed` knows which have somebody to send to. */
  async look(ask: Ask): Promise<void> {
    const rows = await ask(() => sql.lookAtCampaigns.rows(this.dataSource));
    const campaigns = rows.map((row): Look => ({ ...row, trouble: troubleOf(row) }));
    this.running = new Map(campaigns.filter(mayRelease).map((campaign) => [campaign.id, campaign]));
    const steps = campaigns.flatMap((campaign) => this.stepOf(campaign) ?? []);
    // A campaign that takes long or fails delays no other.
    await Promise.all(
      Array.from({ length: sideBySide }, async () => {
        for (let step = steps.pop(); step; step = steps.pop()) {
          await ask(step).catch((error: unknown) => {
            this.logger.warn({ err: error }, 'could not change a campaign');
          });
        }
      }),
    );
  }

  /**
   * Releases those whose turn it is, of the campaigns that `look` has seen running.
   * @param offer gets the ids of messages that are queued now.
   */
  async feed(ask: Ask, offer: (messageIds: string[]) => void): Promise<void> {
    for (let batch = 0; batch < batchesMax && this.running.size > 0; batch += 1) {
      const next = await ask(() =>
        nextRecipients.rows(this.statements, {
          campaignIds: plainArray([...this.running.keys()]),
          limit: batchMax,
        }),
      );
      const filled = await this.fill(next);
      if (filled.length === 0) return;
      const released = await ask(() =>
        releaseRecipients.rows(this.statements, {
          ofCampaigns: plainArray(filled.map(({ campaignId }) => campaignId)),
          positions: plainArray(filled.map(({ position }) => position)),
          messageIds: plainArray(filled.map(({ id }) => id)),
          payloads: lines(filled.map(({ payload }) => payload)),
          faults: textArray(filled.map(({ fault }) => fault)),
          campaignIds: plainArray([...new Set(filled.map(({ campaignId }) => campaignId))]),
        }),
      );
      offer(released.map(({ id }) => id));
      if (next.length < batchMax) return;
    }
  }

  private stepOf(campaign: Look): (() => Promise<unknown>) | null {
    const { id, status, reason, trouble } = campaign;
    const change = (given: StatusChange) => () =>
      changeStatus(this.dataSource, id, { ...given, isPatient: false });
    if (status === 'scheduled')
      return campaign.isDue ? change({ to: 'running', from: ['scheduled'] }) : null;
    if (status === 'paused') {
      const isOver = reason && passingReasons.includes(reason) && trouble === null;
      return isOver ? () => this.resume(campaign, reason) : null;
    }
    if (!campaign.hasPending)
      return campaign.isSending ? null : change({ to: 'completed', from: ['running'] });
    return trouble ? () => this.pause(campaign, trouble) : null;
  }

  /** Counts campaigns that have ended, less often the longer that is ago: reports still come in. */
  private async count(): Promise<void> {
    await sql.countEndedCampaigns.run(this.dataSource, { limit: countedAtOnce });
  }

  private async pause(campaign: Look, reason: Exclude<PauseReason, 'operator'>): Promise<void> {
    const change = { from: ['running'], reason, isPatient: false } as const;
    const isPaused = await this.dataSource.transaction((manager) =>
      pauseWithAlert(manager, campaign, change),
    );
    if (isPaused) this.logger.warn({ campaign_id: campaign.id, reason }, 'a campaign is paused');
  }

  private async resume(campaign: Look, reason: PauseReason): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const change = {
        to: 'running',
        from: ['paused'],
        fromReason: reason,
        isPatient: false,
      } as const;
      if (!(await changeStatus(manager, campaign.id, change))) return;
      const { accountId, id: subject } = campaign;
      await resolveAlert(manager, { accountId, kind: 'campaign_paused', subject });
    });
  }

  /** The messages of recipients, without those whose template is not as it was a moment ago. */
  private async fill(recipients: readonly NextRecipient[]): Promise<FilledRecipient[]> {
    const ids = recipients.map(() => newId()).toSorted((a, b) => (a < b ? -1 : 1));
    const byCampaign = new Map<string, { recipient: NextRecipient; id: string }[]>();
    for (const [index, recipient] of recipients.entries()) {
      const one = { recipient, id: ids[index] as string };
      const those = byCampaign.get(recipient.campaign_id);
      if (those) those.push(one);
      else byCampaign.set(recipient.campaign_id, [one]);
    }
    const filled = await Promise.all(
      [...byCampaign].map(([campaignId, those]) => this.fillOf(campaignId, those)),
    );
    return filled.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  private async fillOf(
    campaignId: string,
    those: readonly { readonly recipient: NextRecipient; readonly id: string }[],
  ): Promise<FilledRecipient[]> {
    const campaign = this.running.get(campaignId);
    if (!campaign) return [];
    const { accountId, apiKeyId, mode } = campaign;
    const template = await this.templates.findTemplate(
      { accountId, apiKeyId, mode, accountVersion: Number(campaign.accountVersion) },
      campaign.templateName,
      campaign.language,
    );
    if (!template?.mapping || !('filling' in template.mapping)) return [];
    const filled = those.map(({ recipient, id }) => {
      const { position, to, to_user_id, variables } = recipient;
      const base = { campaignId, position, id };
      return { recipient, base, one: fillFor(template, { to, to_user_id, variables }) };
    });
    const uses = filled.flatMap(({ one }) => ('uses' in one ? one.uses : []));
    const files = await this.files.find({ accountId, mode }, uses);
    return filled.map(({ recipient, base, one }) => {
      if ('faults' in one) return { ...base, payload: null, fault: 'invalid_variables' };
      const placed = new Map<string, PlatformFile>();
      for (const { kind, mediaId } of one.uses) {
        const file = files.get(`${kind} ${mediaId}`);
        if (!file || 'fault' in file) return { ...base, payload: null, fault: 'media_expired' };
        placed.set(mediaId, file);
      }
      const components = placed.size > 0 ? withFiles(one.components, placed) : one.components;
      const { payload } = templateDraft(template, recipient, components, {});
      return { ...base, payload: JSON.stringify(payloadWithId(payload, base.id)), fault: null };
    });
  }

  /** Before messages are deleted, their recipients get what became of them. */
  private async keepResults(): Promise<void> {
    for (;;) {
      // Half of the time for which the messages are kept.
      const hours = this.config.retentionDays * 12;
      const given = { hours, limit: keptAtOnce };
      const kept = await sql.keepCampaignResults.changed(this.dataSource, given);
      if (kept < keptAtOnce) return;
    }
  }
}
