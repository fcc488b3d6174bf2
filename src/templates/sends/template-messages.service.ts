import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { Principal } from '../../access/principal.js';
import { AppError, namedViolations } from '../../errors/app-error.js';
import { isGiven } from '../../http/validation/rules.js';
import type { MessageDraft } from '../../messages/message.js';
import type { RecipientDto } from '../../messages/sends/recipient.dto.js';
import { mediaKinds } from '../../uploads/media-kinds.js';
import {
  type FileUse,
  filesIn,
  UploadedFiles,
  withPlatformIds,
} from '../../uploads/uploaded-files.js';
import { type Filling, type FillingEntry, fillComponents } from '../plan/mapped-variables.js';
import { valueFault } from '../plan/parameter-values.js';
import { checkComponents } from '../plan/raw-components.js';
import { TemplateLookups } from '../sync/template-lookups.js';
import { type KnownTemplate, TemplateDirectory } from './template-directory.js';
import type { RawTemplateDto, TemplateSendDto } from './template-messages.dto.js';
import { templateDraft } from './template-payloads.js';

type Values = Readonly<Record<string, unknown>>;

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
   * INVALID_TEMPLATE_PARAMS, MEDIA_EXPIRED, RECIPIENT_NOT_SUPPORTED, in this order
   */
  async filled(caller: Principal, message: TemplateSendDto): Promise<MessageDraft> {
    const template = await this.template(caller, message, refusalOfMapping);
    const filling = fillingOf(template);
    const values = message.variables ?? {};
    checkValues(filling, values);
    const { components, until } = await this.withUploads(
      caller,
      fillComponents(filling, (entry) => valueOf(entry, values) as string | null),
      uploadsOf(filling, values),
      message.send_at,
    );
    checkRecipient(template, message);
    return templateDraft(template, message, components, { mapping: true, mediaUntil: until });
  }

  /**
   * A template with the platform's own components.
   * @throws AppError TEMPLATE_NOT_FOUND, INVALID_TEMPLATE_PARAMS, MEDIA_EXPIRED, RECIPIENT_NOT_SUPPORTED, in this
   * order
   */
  async raw(caller: Principal, message: RawTemplateDto): Promise<MessageDraft> {
    const template = await this.template(caller, message, () => null);
    const components = message.components ?? [];
    const faults = checkComponents(template.plan, components);
    if (Object.keys(faults).length > 0) throw invalidParams(faults);
    const sent = await this.withUploads(
      caller,
      components,
      filesIn({ components }),
      message.send_at,
    );
    checkRecipient(template, message);
    return templateDraft(template, message, sent.components, { mediaUntil: sent.until });
  }

  /** Components with the platform's ids of their files. @throws AppError INVALID_TEMPLATE_PARAMS, MEDIA_EXPIRED */
  private async withUploads(
    caller: Principal,
    components: readonly unknown[],
    uses: readonly FileUse[],
    sendAt: string | null | undefined,
  ): Promise<{ components: readonly unknown[]; until: Date | null }> {
    if (uses.length === 0) return { components, until: null };
    const { faults, expired, platformIds, until } = await this.uploads.find(caller, uses, sendAt);
    if (Object.keys(faults).length > 0) throw invalidParams(faults);
    if (expired) throw expired;
    return { components: withPlatformIds(components, platformIds), until };
  }

  /** An approved template. Before refusing, reads it from the store and asks the platform for it if it is missing. */
  private async template(
    caller: Principal,
    { template_name: name, language }: { template_name: string; language: string },
    refusalOf: (template: KnownTemplate) => AppError | null,
  ): Promise<KnownTemplate> {
    const isUsable = (found: KnownTemplate | null) =>
      found?.status === 'APPROVED' && refusalOf(found) === null;
    let template = await this.directory.findTemplate(caller, name, language);
    if (!isUsable(template)) template = await this.directory.load(caller, name, language);
    if (!template) {
      await this.lookups.ask(caller, name);
      // Read again in any case: another send may have asked since this one looked.
      template = await this.directory.load(caller, name, language);
    }
    if (template?.status !== 'APPROVED') throw notFound(template, name, language);
    const refusal = refusalOf(template);
    if (refusal) throw refusal;
    return template;
  }
}

/** One-time codes are bound to a phone number: the platform does not send them to user ids. */
function checkRecipient({ category }: KnownTemplate, { to }: RecipientDto): void {
  if (category === 'AUTHENTICATION' && !isGiven(to)) {
    throw new AppError('RECIPIENT_NOT_SUPPORTED');
  }
}

function notFound(template: KnownTemplate | null, name: string, language: string): AppError {
  if (!template) {
    return new AppError('TEMPLATE_NOT_FOUND', {
      message: `The template ${name} does not exist in the language ${language}.`,
    });
  }
  return new AppError('TEMPLATE_NOT_FOUND', {
    message: `The template ${name} (${language}) is not approved: it is ${template.status}.`,
    details: { status: template.status },
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

function fillingOf({ mapping }: KnownTemplate): Filling {
  if (!mapping || !('filling' in mapping)) throw new Error('the template has no mapping');
  return mapping.filling;
}

/** Null: the variable is absent, which `null` means too, and has no default. */
function valueOf(entry: FillingEntry, values: Values): unknown {
  return givenFor(entry, values) ?? entry.byDefault;
}

function givenFor({ name }: FillingEntry, values: Values): unknown {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}

/** The uploads that a header names. */
function uploadsOf({ entries }: Filling, values: Values): FileUse[] {
  return entries.flatMap((entry) => {
    const kind = mediaKinds.find((each) => each === entry.slot.kind);
    const value = valueOf(entry, values);
    return kind && isUUID(value)
      ? [{ field: `variables.${entry.name}`, mediaId: String(value), kind }]
      : [];
  });
}

function checkValues({ entries, names }: Filling, values: Values): void {
  const missing = entries.filter((entry) => entry.isRequired && givenFor(entry, values) === null);
  if (missing.length > 0) {
    const variables = missing.map(({ name }) => name);
    throw new AppError('MISSING_REQUIRED_VARIABLE', {
      message: `Required ${variables.length === 1 ? 'variable' : 'variables'} missing: ${variables.join(', ')}.`,
      details: { variables },
    });
  }
  const faults: Record<string, string> = {};
  for (const name of Object.keys(values)) {
    if (!names.has(name)) faults[`variables.${name}`] = 'is not a variable of the mapping';
  }
  for (const entry of entries) {
    const value = valueOf(entry, values);
    const fault = value === null ? null : valueFault(entry.slot, entry.type, value);
    if (fault !== null) faults[`variables.${entry.name}`] = fault;
  }
  if (Object.keys(faults).length > 0) throw invalidParams(faults);
}

function invalidParams(faults: Record<string, string>): AppError {
  const { fields, more } = namedViolations(faults);
  const [[path, fault] = [], ...others] = Object.entries(fields);
  const further = others.length + more;
  return new AppError('INVALID_TEMPLATE_PARAMS', {
    message: `${path}: ${fault}${further > 0 ? ` (and ${further} more)` : ''}`,
    details: { fields },
  });
}
