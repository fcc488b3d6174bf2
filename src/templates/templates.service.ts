import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { AppError, noSuch, unavailable, validationError } from '../errors/app-error.js';
import { fitVariables } from './plan/mapped-variables.js';
import { compileTemplate, type Slot } from './plan/template-plan.js';
import { PlatformTemplates, type TemplateScope } from './sync/platform-templates.js';
import { TemplateSync } from './sync/template-sync.service.js';
import type { SyncError } from './sync/template-sync.statements.js';
import type {
  DashboardTemplateAnswerDto,
  DashboardTemplateDto,
  DashboardTemplatesDto,
  TemplateDto,
  TemplateSyncDto,
  TemplateSyncStateDto,
  TemplateSyncsDto,
  TemplatesDto,
} from './template-answers.dto.js';
import type {
  DashboardTemplateListDto,
  TemplateListDto,
  TemplateScopeDto,
} from './template-list.dto.js';
import { type ListedTemplate, TemplateLists } from './template-lists.js';
import * as sql from './templates.statements.js';

/** Templates, for keys and for people. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lists: TemplateLists,
    private readonly platform: PlatformTemplates,
    private readonly sync: TemplateSync,
  ) {}

  /** The templates of the key's account and mode. */
  async list(caller: Principal, filter: TemplateListDto): Promise<TemplatesDto> {
    const { templates, next_cursor } = await this.lists.page(caller, filter);
    return { templates: templates.map(templateView), next_cursor };
  }

  /** The same for people, with the state of their syncs. @throws AppError NOT_FOUND for another account */
  async listFor(
    user: SignedInUser,
    filter: DashboardTemplateListDto,
  ): Promise<DashboardTemplatesDto> {
    const accountId = accountScope(user, filter.account_id);
    const mode = filter.mode ?? null;
    const { templates, next_cursor } = await this.lists.page(
      { accountId, mode, apiKeyId: null },
      filter,
    );
    const syncs = await this.states(accountId, mode);
    return { templates: templates.map(detailedView), next_cursor, syncs };
  }

  /** @throws AppError NOT_FOUND, also for a template that WhatsApp no longer has */
  async get(user: SignedInUser, id: string): Promise<DashboardTemplateAnswerDto> {
    if (!isUUID(id)) throw noSuch('template');
    const {
      templates: [template],
    } = await this.lists.page(
      { accountId: accountScope(user), mode: null, apiKeyId: null, id },
      { limit: 1 },
    );
    if (!template) throw noSuch('template');
    const given = { templateId: template.id };
    const mappings = await sql.listMappingsOfTemplate.rows(this.dataSource, given);
    return { template: detailedView(template), mappings };
  }

  /**
   * Syncs an account's templates, or joins the sync in progress; answers when it is done.
   * @throws AppError NOT_FOUND, VALIDATION_ERROR when it is not clear which account,
   * SERVICE_UNAVAILABLE when WhatsApp's list could not be read: then nothing has changed
   */
  async syncNow(user: SignedInUser, asked: TemplateScopeDto): Promise<TemplateSyncsDto> {
    const accountId = await this.account(user, asked.account_id);
    const modes = this.platform.modes.filter((mode) => mode === (asked.mode ?? mode));
    if (modes.length === 0) {
      throw validationError({ mode: 'test needs a simulator; SIMULATOR_URL is not set' });
    }
    return { syncs: await Promise.all(modes.map((mode) => this.syncOne({ accountId, mode }))) };
  }

  private async syncOne(scope: TemplateScope): Promise<TemplateSyncDto> {
    const outcome = await this.sync.syncTemplates(scope);
    if (!outcome.ok) throw syncFailed(scope, outcome.error);
    const { total, added, changed, removed } = outcome.changes;
    return {
      account_id: scope.accountId,
      mode: scope.mode,
      templates: total,
      added,
      changed,
      removed,
      synced_at: outcome.syncedAt,
    };
  }

  /** The user's own account, the one that the operator names, or the only one. */
  private async account(user: SignedInUser, asked: string | null | undefined): Promise<string> {
    const scope = accountScope(user, asked);
    const accounts = await this.dataSource.getRepository(AccountEntity).find({
      select: { id: true },
      where: scope === null ? {} : { id: scope },
      take: 2,
    });
    const [only] = accounts;
    if (only && accounts.length === 1) return only.id;
    if (!only) throw noSuch('account');
    throw validationError({ account_id: 'is required: there are several accounts' });
  }

  private async states(
    accountId: string | null,
    mode: string | null,
  ): Promise<TemplateSyncStateDto[]> {
    const rows = await sql.listTemplateSyncs.rows(this.dataSource, { accountId, mode });
    return rows.map((row) => ({
      ...row,
      error: row.error && {
        reason: row.error.reason,
        message: row.error.message,
        whatsapp_error_code: row.error.platformCode,
      },
    }));
  }
}

function syncFailed({ mode }: TemplateScope, error: SyncError): AppError {
  return unavailable(
    'sync_failed',
    `WhatsApp’s templates could not be read; nothing has changed. ${error.message}`,
    {
      retryAfterSeconds: 60,
      details: {
        mode,
        ...(error.platformCode === null
          ? { cause: error.reason }
          : { whatsapp_error_code: error.platformCode, whatsapp_error_message: error.message }),
      },
    },
  );
}

function detailedView(template: ListedTemplate): DashboardTemplateDto {
  const {
    variables: _variables,
    platform_id: _platformId,
    components,
    parameter_format: parameterFormat,
    ...fields
  } = template;
  const plan = compileTemplate({ parameterFormat, components });
  return {
    ...fields,
    parameter_format: parameterFormat,
    components,
    parameters: plan.slots.map(parameterView),
  };
}

function parameterView(slot: Slot) {
  return {
    component: slot.component,
    position: slot.position,
    parameter_name: slot.name,
    button_index: slot.buttonIndex,
    kind: slot.kind,
    required: slot.isRequired,
    example: slot.example,
  };
}

function templateView(template: ListedTemplate): TemplateDto {
  const { name, language, category, status, parameter_format, components, configured } = template;
  return {
    name,
    language,
    category,
    status,
    parameter_format,
    components,
    configured,
    variables: configured ? variablesOf(template) : [],
  };
}

function variablesOf({ parameter_format, components, variables }: ListedTemplate) {
  const plan = compileTemplate({ parameterFormat: parameter_format, components });
  const { filling } = fitVariables(plan, variables ?? {});
  return (filling?.entries ?? []).flatMap(({ name, isRequired, slot }) =>
    name === null
      ? []
      : [{ name, required: isRequired, component: slot.component, example: slot.example }],
  );
}
