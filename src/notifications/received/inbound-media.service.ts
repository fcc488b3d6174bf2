import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Media, PlatformRequestError } from '#libs/whatsapp';
import { AppError } from '../../errors/app-error.js';
import { FairShares } from '../../http/fair-shares.js';
import type { Reply } from '../../http/request.js';
import type { MessageScope } from '../../messages/reads/message-reads.js';
import { type ModeClients, PlatformClients } from '../../platform/platform-clients.js';
import { platformUnavailable } from '../../platform/platform-unavailable.js';
import * as sql from './inbound-media.statements.js';

/** More than all accounts together have places, so that nobody waits for a socket. */
const socketsMax = 512;

/** Files at once; each is a stream through this process. Accounts share them. */
const fileShares = {
  own: 2,
  free: 14,
  waitMs: 5_000,
  waitingMax: 16,
  reason: 'too_many_downloads',
  message: 'Too many files are being read; try again.',
};

const timeoutMs = 15_000;

/** Files that users sent, fetched from the platform with the account's token. */
@Injectable()
export class InboundMediaService {
  private readonly clients: ModeClients;
  private readonly shares = new FairShares(fileShares);

  constructor(
    private readonly dataSource: DataSource,
    private readonly platform: PlatformClients,
  ) {
    this.clients = platform.open({ connections: socketsMax, timeoutMs });
  }

  /**
   * Streams a file that came with a message to the account; for HEAD, only its type and length, which takes no
   * download. It is always the whole file: a `Range` changes nothing.
   * @param options whether it may also be an upload of the account.
   * @throws AppError NOT_FOUND for any other file, and for one that the platform no longer has;
   * SERVICE_UNAVAILABLE when the platform cannot be reached or refuses for another reason.
   */
  async sendMedia(
    mediaId: string,
    scope: MessageScope,
    reply: Reply,
    { isAlsoUpload = false } = {},
  ): Promise<void> {
    const { accountId, client, row } = await this.find(
      mediaId,
      scope,
      isAlsoUpload ? sql.findAnyFile : sql.findInboundFile,
    );
    await this.shares.take(accountId, reply);
    const { accessToken: token } = await this.platform.credentialsOf(accountId);
    try {
      const { url, mimeType, fileSize } = await client.getMedia(mediaId, token);
      const file =
        reply.request.method === 'HEAD'
          ? { stream: Readable.from([]), mimeType, contentLength: fileSize }
          : await client.downloadMedia(url, token);
      await reply.request.dayUnit?.takeDayUnit();
      void reply.headers({
        'content-type': contentTypeOf(file.mimeType ?? mimeType),
        // A stranger's file must not run as a page of ours.
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(row.file_name ?? mediaId)}`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
        'accept-ranges': 'none',
        ...(file.contentLength !== null &&
          file.contentLength >= 0 && { 'content-length': file.contentLength }),
      });
      await reply.send(file.stream);
    } catch (error) {
      throw toAppError(error);
    }
  }

  /** What the platform says of a received file or an upload. @throws AppError as `sendMedia` */
  async describe(mediaId: string, scope: MessageScope): Promise<Media> {
    const { accountId, client } = await this.find(mediaId, scope, sql.findAnyFile);
    const { accessToken } = await this.platform.credentialsOf(accountId);
    return client.getMedia(mediaId, accessToken).catch((error: unknown) => {
      throw toAppError(error);
    });
  }

  private async find(
    mediaId: string,
    { accountId, mode }: MessageScope,
    files: typeof sql.findAnyFile,
  ) {
    // PostgreSQL takes no NUL, and no file has one in its id.
    if (mediaId.includes('\0')) throw noSuchFile();
    const row = await files.row(this.dataSource, { accountId, mode, mediaId });
    const client = this.clients[mode ?? 'live'];
    if (accountId === null || !row || !client) throw noSuchFile();
    return { accountId, client, row };
  }
}

const noSuchFile = () => new AppError('NOT_FOUND', { message: 'The file does not exist.' });

const contentTypeForm = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:; ?[\w.+-]{1,100}=[\w.+-]{1,100}){0,3}$/;

/** The platform's type of a file, if it fits into a header. */
function contentTypeOf(mimeType: string | null): string {
  return mimeType !== null && contentTypeForm.test(mimeType)
    ? mimeType
    : 'application/octet-stream';
}

/** The platform's answers for ids that it does not know, or no longer knows. */
const unknownIdCodes = new Set([100, 803]);

function toAppError(error: unknown): unknown {
  if (!(error instanceof PlatformRequestError)) return error;
  const refusal = error.error;
  const details = refusal && {
    whatsapp_error_code: refusal.code,
    whatsapp_error_message: refusal.message,
  };
  const isUnknown = refusal && (unknownIdCodes.has(refusal.code) || error.httpStatus === 404);
  if (isUnknown || error.reason === 'gone') {
    return new AppError('NOT_FOUND', {
      message: 'WhatsApp no longer has the file.',
      ...(details && { details }),
      cause: error,
    });
  }
  return platformUnavailable(error, 'WhatsApp refuses the file for now; try again later.');
}
