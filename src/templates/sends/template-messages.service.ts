import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { AppError, validationError } from '../../errors/app-error.js';
import type { MessageDraft } from '../../messages/message.js';
import type { RecipientDto } from '../../messages/sends/recipient.dto.js';
import {
  type FileUse,
  filesIn,
  UploadedFiles,
  withFiles,
  withLinkNames,
} from '../../uploads/uploaded-files.js';
import { checkComponents } from '../plan/raw-components.js';
import { TemplateLookups } from '../sync/template-lookups.js';
import { checkRecipient, fillTemplate, invalidParams } from './filled-template.js';
import { type KnownTemplate, TemplateDirectory } from './template-directory.js';
import { platformLanguage } from './template-language.js';
import type { RawTemplateMessageDto, TemplateMessageDto } from './template-messages.dto.js';
import { templateDraft } from './template-payloads.js';

interface NamedTemplate {
  readonly template_name: string;
  readonly language: string;
}

/** Template messages, checked to the end before anything is stored. */
@Injectable()
export class TemplateMessages {
  constructor(
    private readonly directory: TemplateDirectory,
    private readonly lookups: TemplateLookups,
    private readonly uploads: UploadedFiles,
  ) {}

  /**
   * A template filled with named variables.
   * @throws AppError TEMPLATE_NOT_FOUND, TEMPLATE_NOT_CONFIGURED, MISSING_REQUIRED_VARIABLE,
   * INVALID_TEMPLATE_PARAMS, VALIDATION_ERROR for an upload that is not there, MEDIA_EXPIRED, RECIPIENT_NOT_SUPPORTED,
   * in this order
   */
  async filled(caller: Principal, message: TemplateMessageDto): Promise<MessageDraft> {
    const template = await this.findMapped(caller, message);
    const filled = fillTemplate(template, message.variables);
    const { components, until } = await this.withUploads(
      caller,
      filled.components,
      filled.uses,
      message.send_at,
    );
    checkRecipient(template, message);
    return templateDraft(template, message, components, { mapping: true, mediaUntil: until });
  }

  /**
   * An approved template that the mapping of the key fits.
   * @throws AppError TEMPLATE_NOT_FOUND, TEMPLATE_NOT_CONFIGURED, in this order
   */
  findMapped(caller: Principal, named: NamedTemplate): Promise<KnownTemplate> {
    return this.template(caller, named, refusalOfMapping);
  }

  /**
   * An approved template, whatever its components are: the platform judges them.
   * @throws AppError TEMPLATE_NOT_FOUND, RECIPIENT_NOT_SUPPORTED, in this order
   */
  async approved(
    caller: Principal,
    named: NamedTemplate,
    recipient: RecipientDto,
  ): Promise<KnownTemplate> {
    const template = await this.template(caller, named, () => null);
    checkRecipient(template, recipient);
    return template;
  }

  /**
   * A template with the platform's own components.
   * @throws AppError TEMPLATE_NOT_FOUND, INVALID_TEMPLATE_PARAMS, VALIDATION_ERROR for an upload that is not there,
   * MEDIA_EXPIRED, RECIPIENT_NOT_SUPPORTED, in this order
   */
  async raw(caller: Principal, message: RawTemplateMessageDto): Promise<MessageDraft> {
    const template = await this.template(caller, message, () => null);
    const components = message.components ?? [];
    const faults = checkComponents(template.plan, components);
    if (Object.keys(faults).length > 0) throw invalidParams(faults);
    const sent = await this.withUploads(
      caller,
      withLinkNames(components),
      filesIn({ components }),
      message.send_at,
    );
    checkRecipient(template, message);
    return templateDraft(template, message, sent.components, { mediaUntil: sent.until });
  }

  /** Components with the platform's ids of their files. @throws AppError VALIDATION_ERROR, MEDIA_EXPIRED */
  private async withUploads(
    caller: Principal,
    components: readonly unknown[],
    uses: readonly FileUse[],
    sendAt: string | null | undefined,
  ): Promise<{ components: readonly unknown[]; until: Date | null }> {
    if (uses.length === 0) return { components, until: null };
    const { faults, refusal, files, until } = await this.uploads.find(caller, uses, sendAt);
    if (Object.keys(faults).length > 0) throw validationError(faults);
    if (refusal) throw refusal;
    return { components: withFiles(components, files), until };
  }

  /** An approved template. Before refusing, reads it from the store and asks the platform for it if it is missing. */
  private async template(
    caller: Principal,
    { template_name: name, language: given }: NamedTemplate,
    refusalOf: (template: KnownTemplate) => AppError | null,
  ): Promise<KnownTemplate> {
    const language = platformLanguage(given);
    const isUsable = (found: KnownTemplate | null) =>
      found?.status === 'APPROVED' && refusalOf(found) === null;
    let template = await this.directory.findTemplate(caller, name, language);
    if (!isUsable(template)) template = await this.directory.load(caller, name, language);
    if (!template) {
      await this.lookups.ask(caller, name);
      // Read again in any case: another send may have asked since this one looked.
      template = await this.directory.load(caller, name, language);
    }
    if (!template) throw notThere(name, language, await this.directory.languagesOf(caller, name));
    if (template.status !== 'APPROVED') throw notApproved(template);
    const refusal = refusalOf(template);
    if (refusal) throw refusal;
    return template;
  }
}

function notThere(name: string, language: string, languages: readonly string[]): AppError {
  const others =
    languages.length > 0 ? `; it exists in ${languages.join(', ')}` : ', nor in any other';
  return new AppError('TEMPLATE_NOT_FOUND', {
    message: `The template ${name} does not exist in the language ${language}${others}.`,
    details: { languages },
  });
}

function notApproved({ name, language, status }: KnownTemplate): AppError {
  return new AppError('TEMPLATE_NOT_FOUND', {
    message: `The template ${name} (${language}) is not approved: it is ${status}.`,
    details: { status },
  });
}

function refusalOfMapping({ mapping, name, language }: KnownTemplate): AppError | null {
  if (!mapping) {
    return new AppError('TEMPLATE_NOT_CONFIGURED', {
      message: `The API key has no variable mapping for ${name} (${language}).`,
      details: { reason: 'There is no mapping.' },
    });
  }
  if ('filling' in mapping) return null;
  return new AppError('TEMPLATE_NOT_CONFIGURED', {
    message: `The mapping for ${name} (${language}) no longer fits the template.`,
    details: { reason: mapping.brokenReason },
  });
}
