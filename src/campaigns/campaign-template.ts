import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { AppError } from '../errors/app-error.js';
import type { RecipientDto } from '../messages/sends/recipient.dto.js';
import { checkRecipient, fillTemplate } from '../templates/sends/filled-template.js';
import type { KnownTemplate } from '../templates/sends/template-directory.js';
import { type FileUse, type PlatformFile, UploadedFiles } from '../uploads/uploaded-files.js';

/** A recipient as a campaign keeps it. */
export interface Addressee extends RecipientDto {
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What a recipient's message is made of, or what is wrong with their variables, by field. */
export type Filled =
  | { readonly components: readonly unknown[]; readonly uses: readonly FileUse[] }
  | { readonly faults: Readonly<Record<string, string>> };

/** Fills the template of a campaign for one recipient. */
export function fillFor(template: KnownTemplate, { variables, ...addressee }: Addressee): Filled {
  try {
    const filled = fillTemplate(template, variables);
    checkRecipient(template, addressee);
    return filled;
  } catch (error) {
    if (error instanceof AppError) return { faults: faultsOf(error) };
    throw error;
  }
}

function faultsOf({ code, message, details }: AppError): Record<string, string> {
  const known = details as { fields?: Record<string, string>; variables?: string[] } | undefined;
  if (known?.fields) return known.fields;
  if (known?.variables) {
    return Object.fromEntries(known.variables.map((name) => [`variables.${name}`, 'is required']));
  }
  return { [code === 'RECIPIENT_NOT_SUPPORTED' ? 'to' : 'variables']: message };
}

/** Looks up the files of many recipients at once: most of them share the same. */
@Injectable()
export class CampaignFiles {
  constructor(private readonly uploads: UploadedFiles) {}

  /** The uploads that recipients name, each once: by its id, the platform's id or what is wrong with it. */
  async find(
    scope: Pick<Principal, 'accountId' | 'mode'>,
    uses: readonly FileUse[],
  ): Promise<ReadonlyMap<string, PlatformFile | { fault: string }>> {
    const each = [...new Map(uses.map((use) => [`${use.kind} ${use.mediaId}`, use])).values()];
    const named = each.map((use) => ({ ...use, field: `${use.kind} ${use.mediaId}` }));
    const found = new Map<string, PlatformFile | { fault: string }>();
    if (named.length === 0) return found;
    const { faults, files } = await this.uploads.find(scope, named);
    for (const { field, mediaId } of named) {
      const file = files.get(mediaId);
      const fault = faults[field] ?? (file ? undefined : 'has expired: upload the file again');
      if (fault) found.set(field, { fault });
      else if (file) found.set(field, file);
    }
    return found;
  }
}
