import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import { AccountChanges } from '../../accounts/account-changes.js';
import type { ApiKeyEntity } from '../../api-keys/api-key.entity.js';
import { ApiKeyRecords } from '../../api-keys/api-key-records.js';
import { AuditLog, changesBetween } from '../../audit/audit-log.js';
import { noSuch, validationError } from '../../errors/app-error.js';
import {
  fitVariables,
  isNeeded,
  type MappedVariable,
  type MappedVariables,
} from '../plan/mapped-variables.js';
import { compileTemplate } from '../plan/template-plan.js';
import { TemplateEntity } from '../template.entity.js';
import { TemplateMappingEntity } from './template-mapping.entity.js';
import type { TemplateMappingDto } from './template-mappings.dto.js';

/**
 * Mappings of keys onto templates. A mapping is stored only when it fits; a later change of the
 * template may break it, which the sync finds out.
 */
@Injectable()
export class TemplateMappingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: ApiKeyRecords,
    private readonly changes: AccountChanges,
    private readonly audit: AuditLog,
  ) {}

  /** By the template's name and language. @throws AppError NOT_FOUND */
  async list(user: SignedInUser, keyId: string): Promise<TemplateMappingDto[]> {
    const key = await this.keys.get(keyId, accountScope(user));
    const { manager } = this.dataSource;
    const mappings = await manager.findBy(TemplateMappingEntity, { apiKeyId: key.id });
    const templates = new Map(
      (await manager.findBy(TemplateEntity, { accountId: key.accountId, mode: key.mode })).map(
        (template) => [template.id, template],
      ),
    );
    const views = mappings.flatMap((mapping) => {
      const template = templates.get(mapping.templateId);
      return template ? [mappingView(mapping, template)] : [];
    });
    const place = (view: TemplateMappingDto) => `${view.template_name} ${view.language}`;
    return views.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  }

  /**
   * Stores a mapping in place of the one there was.
   * @throws AppError NOT_FOUND, also for a template of another account or mode; VALIDATION_ERROR when
   * it does not fit the template; SERVICE_UNAVAILABLE
   */
  put(
    user: SignedInUser,
    keyId: string,
    templateId: string,
    variables: MappedVariables,
  ): Promise<TemplateMappingDto> {
    return this.changes.apply(async (manager) => {
      const key = await this.keys.lock(manager, keyId, accountScope(user));
      const template = await findTemplate(manager, key, templateId);
      const { problems } = fitVariables(compileTemplate(template), variables);
      if (problems) throw validationError(problems);
      const place = { apiKeyId: key.id, templateId: template.id };
      const before = await manager.findOneBy(TemplateMappingEntity, place);
      const stored = { variables: withoutNulls(variables), brokenReason: null };
      if (before) {
        await manager.update(TemplateMappingEntity, place, { ...stored, updatedAt: new Date() });
      } else await manager.insert(TemplateMappingEntity, { ...place, ...stored });
      const after = await manager.findOneByOrFail(TemplateMappingEntity, place);
      await this.record(manager, user, 'template_mapping.saved', key, template, {
        ...changesBetween({ variables: before?.variables ?? null }, { variables: after.variables }),
      });
      return { accountId: key.accountId, result: mappingView(after, template) };
    });
  }

  /** @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE */
  delete(user: SignedInUser, keyId: string, templateId: string): Promise<object> {
    return this.changes.apply(async (manager) => {
      const key = await this.keys.lock(manager, keyId, accountScope(user));
      const mapping = isUUID(templateId)
        ? await manager.findOneBy(TemplateMappingEntity, {
            apiKeyId: key.id,
            templateId: templateId.toLowerCase(),
          })
        : null;
      if (!mapping) throw noSuch('template mapping');
      const template = await manager.findOneByOrFail(TemplateEntity, { id: mapping.templateId });
      await manager.delete(TemplateMappingEntity, {
        apiKeyId: key.id,
        templateId: mapping.templateId,
      });
      await this.record(manager, user, 'template_mapping.deleted', key, template, {
        variables: mapping.variables,
      });
      return { accountId: key.accountId, result: { deleted: true } };
    });
  }

  private record(
    manager: EntityManager,
    user: SignedInUser,
    action: `template_mapping.${string}`,
    key: ApiKeyEntity,
    { name, language }: TemplateEntity,
    details: object,
  ): Promise<void> {
    return this.audit.record(manager, user.actor, {
      action,
      accountId: key.accountId,
      subjectId: key.id,
      subjectName: key.name,
      details: { template: name, language, ...details },
    });
  }
}

/** Locked against a sync until the mapping is stored: the sync then finds and judges it. */
async function findTemplate(
  manager: EntityManager,
  { accountId, mode }: ApiKeyEntity,
  id: string,
): Promise<TemplateEntity> {
  const template = isUUID(id)
    ? await manager.findOne(TemplateEntity, {
        where: { id: id.toLowerCase(), accountId, mode },
        lock: { mode: 'pessimistic_read' },
      })
    : null;
  if (!template || template.deletedAt) throw noSuch('template');
  return template;
}

/** `null` means absent. */
function withoutNulls(variables: MappedVariables): MappedVariables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [
      name,
      Object.fromEntries(
        Object.entries(variable).filter(([, value]) => value !== null && value !== undefined),
      ) as unknown as MappedVariable,
    ]),
  );
}

function mappingView(
  { variables, brokenReason, createdAt, updatedAt }: TemplateMappingEntity,
  template: TemplateEntity,
): TemplateMappingDto {
  return {
    template_id: template.id,
    template_name: template.name,
    language: template.language,
    template_status: template.status,
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, variable]) => [
        name,
        { ...variable, required: isNeeded(variable) },
      ]),
    ),
    broken: brokenReason !== null,
    broken_reason: brokenReason,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
