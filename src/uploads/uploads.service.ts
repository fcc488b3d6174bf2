import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { fileTypeFromBuffer } from 'file-type';
import { DataSource, type EntityManager } from 'typeorm';
import { dayMs } from '#libs/durations';
import { PlatformRequestError, type WhatsAppClient } from '#libs/whatsapp';
import type { Principal } from '../access/principal.js';
import { Turns } from '../database/transactions/turns.js';
import { AppError, unavailable } from '../errors/app-error.js';
import { FairShares } from '../http/fair-shares.js';
import type { DayUnit, Reply } from '../http/request.js';
import type { StreamedBody } from '../http/server/streamed-body.js';
import { type ModeClients, PlatformClients } from '../platform/platform-clients.js';
import { platformUnavailable } from '../platform/platform-unavailable.js';
import { cleanFileName } from './file-names.js';
import { type JudgedFile, judgeFile } from './media-kinds.js';
import { type FormFile, type FormOptions, openForm } from './upload-form.js';
import type { PlatformFile } from './uploaded-files.js';
import type { UploadDto } from './uploads.dto.js';
import * as sql from './uploads.service.statements.js';

/** More than all accounts together have places, so that nobody waits for a socket. */
const socketsMax = 512;

/** Uploads at once in this process; accounts share them. */
const uploadShares = {
  own: 2,
  free: 14,
  waitMs: 5_000,
  waitingMax: 16,
  reason: 'too_many_uploads',
  message: 'Too many files are being uploaded; try again.',
};

/** How long the platform may take nothing of a file, or not answer after its end. */
const timeoutMs = 30_000;

/** How long the platform keeps a file: https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media */
const keptMs = 30 * dayMs;

/** What shows the type of a file. */
const headBytes = 4_100;

/** Files that callers upload. They go on to WhatsApp while they come in, and nothing of them is kept here. */
@Injectable()
export class UploadsService {
  private readonly clients: ModeClients;
  private readonly shares = new FairShares(uploadShares);

  constructor(
    private readonly dataSource: DataSource,
    private readonly turns: Turns,
    private readonly platform: PlatformClients,
  ) {
    this.clients = platform.open({ connections: socketsMax, timeoutMs });
  }

  /**
   * Passes a file on and notes it.
   * @param told SHA-256 of the body that the caller names, in hex, or null.
   * @throws AppError VALIDATION_ERROR, MEDIA_TYPE, MEDIA_TOO_LARGE, INVALID_SIGNATURE, SERVICE_UNAVAILABLE
   */
  async upload(
    caller: Principal,
    body: StreamedBody,
    told: string | null,
    reply: Reply,
  ): Promise<UploadDto> {
    const form = { onEnd: told === null ? undefined : (sha256: string) => compare(sha256, told) };
    const { platformId: _, ...upload } = await this.take(caller, body, form, reply);
    return upload;
  }

  /**
   * The same for programs that send more than the file, which is ignored.
   * @returns the upload with the platform's id of it.
   */
  async take(
    caller: Principal,
    body: StreamedBody,
    options: FormOptions,
    reply: Reply,
  ): Promise<UploadDto & { readonly platformId: string }> {
    await this.shares.take(caller.accountId, reply);
    const client = this.clients[caller.mode];
    if (!client) throw unavailable('no_simulator', 'There is no simulator for test keys.');
    const form = await openForm(body, options);
    try {
      return await this.pass(client, caller, form, reply.request.dayUnit);
    } finally {
      form.drop();
    }
  }

  private async pass(
    client: WhatsAppClient,
    caller: Principal,
    form: FormFile,
    dayUnit: DayUnit | null,
  ): Promise<UploadDto & { readonly platformId: string }> {
    const startedAt = Date.now();
    const head = await readHead(form.chunks);
    const judged = judgeFile(form.mimeType, await markOf(head), head);
    if ('fault' in judged) throw new AppError('MEDIA_TYPE', { message: `${judged.fault}.` });
    const counted = new CountedFile(judged);
    const { phoneNumberId, accessToken } = await this.platform.credentialsOf(caller.accountId);
    const platformId = await client
      .uploadMedia(
        { phoneNumberId, accessToken },
        {
          mimeType: judged.mimeType,
          fileName: form.fileName ?? 'file',
          bytes: counted.pass(head, form.chunks, async () => {
            await form.isComplete;
            // Only a file that has come in whole costs a unit of the day.
            await dayUnit?.takeDayUnit();
          }),
        },
      )
      .catch((error: unknown) => {
        if (!(error instanceof PlatformRequestError)) throw error;
        throw platformUnavailable(error, 'WhatsApp did not take the file.');
      });
    return this.note(caller, judged, counted, {
      platformId,
      name: form.fileName === null ? null : cleanFileName(form.fileName),
      expiresAt: new Date(startedAt + keptMs),
    });
  }

  /**
   * Answers the same file of before while it has more than a day left, under its new name; two at once become one.
   */
  private async note(
    { accountId, mode }: Principal,
    { kind, mimeType }: JudgedFile,
    { size, sha256 }: CountedFile,
    { platformId, name, expiresAt }: PlatformFile & { expiresAt: Date },
  ): Promise<UploadDto & { readonly platformId: string }> {
    const key = `upload ${accountId} ${mode} ${sha256.toString('hex')} ${mimeType}`;
    const store = async (manager: EntityManager) => {
      await sql.lockUpload.run(manager, { key });
      const found = await sql.putUpload.row(manager, {
        accountId,
        mode,
        sha256,
        mimeType,
        kind,
        size,
        platformId,
        expiresAt,
        name,
      });
      if (!found) throw new Error('an upload was neither found nor made');
      return found;
    };
    const row = await this.turns.take(key, () => this.dataSource.transaction(store));
    return {
      media_id: row.id,
      mime_type: mimeType,
      size,
      sha256: sha256.toString('hex'),
      expires_at: row.expires_at.toISOString(),
      platformId: row.platform_id,
    };
  }
}

function compare(sha256: string, told: string): void {
  if (sha256 === told) return;
  throw new AppError('INVALID_SIGNATURE', {
    message: 'The body is not the one that X-Content-SHA256 names.',
  });
}

/** The first bytes of a file; fewer where it is shorter. */
async function readHead(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const head: Buffer[] = [];
  for (let size = 0; size < headBytes; ) {
    const next = await chunks.next();
    if (next.done === true) break;
    head.push(next.value);
    size += next.value.length;
  }
  return Buffer.concat(head);
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const zipSignature = Buffer.from('504b0304', 'hex');

/** What the first bytes are recognised as, or null. */
async function markOf(head: Buffer): Promise<string | null> {
  // The library looks further into these two than the first bytes may reach.
  if (head.indexOf(pngSignature) === 0) return 'image/png';
  const found = await fileTypeFromBuffer(head);
  return found?.mime ?? (head.indexOf(zipSignature) === 0 ? 'application/zip' : null);
}

/** A file that is counted and hashed while it passes. */
class CountedFile {
  size = 0;
  private readonly hash = createHash('sha256');
  private digest: Buffer | null = null;

  constructor(private readonly judged: JudgedFile) {}

  /** @param onEnd runs after the last byte and before the end is passed on. */
  async *pass(
    head: Buffer,
    chunks: AsyncIterator<Buffer>,
    onEnd: () => Promise<void>,
  ): AsyncGenerator<Buffer> {
    yield this.count(head);
    for (;;) {
      const next = await chunks.next();
      if (next.done === true) break;
      yield this.count(next.value);
    }
    await onEnd();
  }

  get sha256(): Buffer {
    this.digest ??= this.hash.digest();
    return this.digest;
  }

  private count(chunk: Buffer): Buffer {
    const { maxBytes, mimeType } = this.judged;
    this.size += chunk.length;
    if (this.size > maxBytes) {
      throw new AppError('MEDIA_TOO_LARGE', {
        message: `A file of the type ${mimeType} may have at most ${maxBytes} bytes.`,
        details: { max_bytes: maxBytes },
      });
    }
    this.hash.update(chunk);
    return chunk;
  }
}
