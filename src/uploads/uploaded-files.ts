import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { AppError } from '../errors/app-error.js';
import { isGiven } from '../http/validation/rules.js';
import { fileNameIn, namelessDocument } from './file-names.js';
import { type MediaKind, mediaKinds } from './media-kinds.js';
import * as sql from './uploaded-files.statements.js';

/** A file that a message names. */
export interface FileUse {
  /** Path of the field in the request. */
  readonly field: string;
  readonly mediaId: string;
  readonly kind: MediaKind;
  /** Whether it is to be a voice message. */
  readonly isVoice?: boolean;
}

/** An upload as the platform has it. */
export interface PlatformFile {
  readonly platformId: string;
  /** What its uploader called it, or null. */
  readonly name: string | null;
}

/** What the files of a message are at the platform. */
export interface FoundFiles {
  /** Field → what is wrong there. */
  readonly faults: Readonly<Record<string, string>>;
  /**
   * To be thrown after the errors that win over it: MEDIA_TYPE, or MEDIA_EXPIRED where a file has expired when it is to
   * be sent. Null where there is no such file.
   */
  readonly refusal: AppError | null;
  /** Each file at the platform, by our id. */
  readonly files: ReadonlyMap<string, PlatformFile>;
  /** How long the platform keeps all of them; null where there are none. */
  readonly until: Date | null;
}

/** Uploads of this type have been looked into: they are Ogg with Opus. */
const voiceType = 'audio/ogg';

const articleOf = (kind: MediaKind) => (/^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`);

/** Looks up what messages name by `media_id`. */
@Injectable()
export class UploadedFiles {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Finds the files of a message among the uploads of the account and mode.
   * @param sendAt when the message is to be sent, in ISO 8601; default: now.
   */
  async find(
    { accountId, mode }: Pick<Principal, 'accountId' | 'mode'>,
    uses: readonly FileUse[],
    sendAt?: string | null,
  ): Promise<FoundFiles> {
    const needed = isGiven(sendAt) ? Date.parse(sendAt) : Date.now();
    const ids = uses.map(({ mediaId }) => mediaId).filter((id) => isUUID(id));
    const rows =
      ids.length === 0 ? [] : await sql.listUploads.rows(this.dataSource, { ids, accountId, mode });
    const faults: Record<string, string> = {};
    const files = new Map<string, PlatformFile>();
    let refusal: AppError | null = null;
    let until: Date | null = null;
    for (const { field, mediaId, kind, isVoice = false } of uses) {
      const row = rows.find(({ id }) => id === mediaId.toLowerCase());
      if (!row) faults[field] = 'is not the media_id of an upload of this account';
      else if (row.kind !== kind) {
        faults[field] = `is ${articleOf(row.kind)}, not ${articleOf(kind)}`;
      } else if (isVoice && row.mime_type !== voiceType) {
        refusal ??= new AppError('MEDIA_TYPE', {
          message: `${field} is ${row.mime_type}: a voice message is Ogg with Opus.`,
        });
      } else if (row.expires_at.getTime() <= needed) {
        const at = row.expires_at.toISOString();
        refusal ??= new AppError('MEDIA_EXPIRED', {
          details: { field, expired_at: at },
          ...(row.expires_at.getTime() > Date.now() && {
            message: `WhatsApp keeps the file until ${at}, which is before send_at. Upload it again nearer to that time.`,
          }),
        });
      } else files.set(mediaId, { platformId: row.platform_id, name: row.file_name });
      if (row && !(until && until < row.expires_at)) until = row.expires_at;
    }
    return { faults, refusal, files, until };
  }
}

/**
 * The files that a request names, wherever they stand.
 * @param kind of those that do not stand in a field of the name of their kind.
 */
export function filesIn(value: unknown, kind: MediaKind | null = null, path = ''): FileUse[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
    const at = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    if (name === 'media_id' && typeof field === 'string' && kind !== null) {
      return [{ field: at, mediaId: field, kind }];
    }
    return filesIn(field, mediaKinds.find((each) => each === name) ?? kind, at);
  });
}

/** A payload with the platform's `id` in place of each `media_id`; a document without a name gets that of the file. */
export function withFiles<T>(payload: T, files: ReadonlyMap<string, PlatformFile>): T {
  return placed(payload, files) as T;
}

function placed(
  value: unknown,
  files: ReadonlyMap<string, PlatformFile>,
  isDocument = false,
): unknown {
  if (Array.isArray(value)) return value.map((each) => placed(each, files));
  if (typeof value !== 'object' || value === null) return value;
  const isNameless = isDocument && !isGiven((value as { filename?: unknown }).filename);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      if (name !== 'media_id' || typeof field !== 'string') {
        return [[name, placed(field, files, name === 'document')]];
      }
      const file = files.get(field);
      return [
        ['id', file?.platformId],
        ...(isNameless
          ? [['filename', file?.name ?? namelessDocument] satisfies [string, string]]
          : []),
      ];
    }),
  );
}

/** Components with a name for each document of a header that is given by its address. */
export function withLinkNames(components: readonly unknown[]): readonly unknown[] {
  return components.map(linkNamed);
}

function linkNamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(linkNamed);
  if (typeof value !== 'object' || value === null) return value;
  const { type, parameters, document } = value as Record<string, unknown>;
  if (type === 'header' && Array.isArray(parameters)) {
    return { ...value, parameters: parameters.map(linkNamed) };
  }
  if (type !== 'document' || typeof document !== 'object' || document === null) return value;
  const { link, filename } = document as Record<string, unknown>;
  if (typeof link !== 'string' || isGiven(filename)) return value;
  return { ...value, document: { ...document, filename: fileNameIn(link) } };
}
