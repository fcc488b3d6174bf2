import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { AppError } from '../errors/app-error.js';
import { isGiven } from '../http/validation/rules.js';
import { type MediaKind, mediaKinds } from './media-kinds.js';

/** A file that a message names. */
export interface FileUse {
  /** Path of the field in the request. */
  readonly field: string;
  readonly mediaId: string;
  readonly kind: MediaKind;
}

/** What the files of a message are at the platform. */
export interface FoundFiles {
  /** Field → what is wrong there. */
  readonly faults: Readonly<Record<string, string>>;
  /** To be thrown after the errors that win over it; null where no file has expired when it is to be sent. */
  readonly expired: AppError | null;
  /** The platform's id of each file, by ours. */
  readonly platformIds: ReadonlyMap<string, string>;
  /** How long the platform keeps all of them; null where there are none. */
  readonly until: Date | null;
}

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
    const rows: { id: string; kind: MediaKind; platform_id: string; expires_at: Date }[] =
      ids.length === 0
        ? []
        : await this.dataSource.query(
            `select id, kind, platform_id, expires_at from uploads
             where id = any ($1::uuid[]) and account_id = $2 and mode = $3`,
            [ids, accountId, mode],
          );
    const faults: Record<string, string> = {};
    const platformIds = new Map<string, string>();
    let expired: AppError | null = null;
    let until: Date | null = null;
    for (const { field, mediaId, kind } of uses) {
      const row = rows.find(({ id }) => id === mediaId.toLowerCase());
      if (!row) faults[field] = 'is not the media_id of an upload of this account';
      else if (row.kind !== kind) {
        faults[field] = `is ${articleOf(row.kind)}, not ${articleOf(kind)}`;
      } else if (row.expires_at.getTime() <= needed) {
        const at = row.expires_at.toISOString();
        expired ??= new AppError('MEDIA_EXPIRED', {
          details: { field, expired_at: at },
          ...(row.expires_at.getTime() > Date.now() && {
            message: `WhatsApp keeps the file until ${at}, which is before send_at. Upload it again nearer to that time.`,
          }),
        });
      } else platformIds.set(mediaId, row.platform_id);
      if (row && !(until && until < row.expires_at)) until = row.expires_at;
    }
    return { faults, expired, platformIds, until };
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

/** A payload with the platform's `id` in place of each `media_id`. */
export function withPlatformIds<T>(payload: T, platformIds: ReadonlyMap<string, string>): T {
  return placed(payload, platformIds) as T;
}

function placed(value: unknown, platformIds: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => placed(each, platformIds));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) =>
      name === 'media_id' && typeof field === 'string'
        ? ['id', platformIds.get(field)]
        : [name, placed(field, platformIds)],
    ),
  );
}
