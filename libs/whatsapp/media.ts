import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { parsePlatformError } from './graph-error.js';
import { isObject, parseJson, toInteger, toText } from './json.js';
import { PlatformRequestError, type ReadTarget, requestJson } from './reads.js';
import { redact } from './redaction.js';
import { readRetryAfter } from './send-result.js';
import type { Sender } from './sender.js';

/** Where a file can be fetched. */
export interface Media {
  id: string;
  /** Valid for five minutes, and only with the token. */
  url: string;
  mimeType: string | null;
  /** In bytes. */
  fileSize: number | null;
  sha256: string | null;
}

/** A file on its way. Read the stream to its end or destroy it, or its socket stays occupied. */
export interface MediaDownload {
  stream: Readable;
  mimeType: string | null;
  /** In bytes; null when not announced. */
  contentLength: number | null;
}

/**
 * Documents are the largest kind, 100 MB:
 * https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media#supported-media-types
 */
const maxFileBytes = 100 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

/** Hosts that serve the platform's files, besides the base URL's own origin. */
const mediaDomains = ['.fbsbx.com', '.fbcdn.net', '.facebook.com', '.whatsapp.net'];

/** Reads where a media id can be fetched. See `WhatsAppClient.getMedia`. */
export async function getMedia(
  target: ReadTarget,
  id: string,
  accessToken: string,
  options: { signal?: AbortSignal } = {},
): Promise<Media> {
  const path = `${target.basePath}/${encodeURIComponent(id)}`;
  const fields = await requestJson(target, accessToken, { path, signal: options.signal });
  const url = toText(fields.url);
  if (!url) {
    throw new PlatformRequestError('unreadable', 'the answer has no url');
  }
  return {
    id,
    url,
    mimeType: toText(fields.mime_type),
    fileSize: toInteger(fields.file_size),
    sha256: toText(fields.sha256),
  };
}

/** Fetches a file. See `WhatsAppClient.downloadMedia`. */
export async function downloadMedia(
  target: ReadTarget & { files: Dispatcher },
  url: string,
  accessToken: string,
  options: { signal?: AbortSignal } = {},
): Promise<MediaDownload> {
  if (!isTrusted(target, url)) {
    throw new PlatformRequestError('untrusted_url', 'the token is not sent to this host');
  }
  const { statusCode, headers, body } = await request(url, {
    dispatcher: target.files,
    headers: { authorization: `Bearer ${accessToken}`, 'user-agent': target.userAgent },
    headersTimeout: target.timeoutMs,
    bodyTimeout: target.timeoutMs,
    signal: options.signal ?? null,
  }).catch((error: unknown) => {
    throw toDownloadError(error, accessToken);
  });
  if (statusCode !== 200) {
    const text = redact(await readStart(body), accessToken);
    const error = parsePlatformError(text, statusCode);
    const answer = { httpStatus: statusCode, retryAfterSeconds: readRetryAfter(headers) };
    if (error) throw new PlatformRequestError('refused', error.message, { ...answer, error });
    const reason = statusCode === 404 ? 'gone' : statusCode >= 500 ? 'server_error' : 'unreadable';
    throw new PlatformRequestError(reason, `HTTP ${statusCode}`, answer);
  }
  const contentLength = toInteger(headers['content-length']);
  if ((contentLength ?? 0) > maxFileBytes) {
    body.on('error', () => {}).destroy();
    throw tooLarge();
  }
  return {
    stream: Readable.from(bounded(body, accessToken), { objectMode: false }),
    mimeType: toText(headers['content-type']),
    contentLength,
  };
}

/** A file to upload. */
export interface MediaUpload {
  mimeType: string;
  /** What WhatsApp may call it; it is not shown to anybody. */
  fileName: string;
  /** The bytes, read as the platform takes them. What it throws ends the upload, and is thrown. */
  bytes: AsyncIterable<Buffer>;
}

/** Uploads a file. See `WhatsAppClient.uploadMedia`. */
export async function uploadMedia(
  target: ReadTarget,
  { phoneNumberId, accessToken }: Sender,
  upload: MediaUpload,
): Promise<string> {
  const boundary = `parley-${randomUUID()}`;
  const stalled = new AbortController();
  let fault: { readonly error: unknown } | null = null;
  const { statusCode, headers, body } = await request(
    `${target.origin}${target.basePath}/${encodeURIComponent(phoneNumberId)}/media`,
    {
      dispatcher: target.dispatcher,
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'user-agent': target.userAgent,
      },
      body: Readable.from(
        impatiently(formOf(upload, boundary), stalled, target.timeoutMs, (error) => {
          fault = { error };
        }),
        { objectMode: false },
      ),
      headersTimeout: 0,
      bodyTimeout: target.timeoutMs,
      signal: stalled.signal,
    },
  ).catch((error: unknown) => {
    throw fault ? fault.error : toDownloadError(error, accessToken);
  });
  const text = redact(await readStart(body), accessToken);
  const answer = { httpStatus: statusCode, retryAfterSeconds: readRetryAfter(headers) };
  if (statusCode !== 200) {
    const error = parsePlatformError(text, statusCode);
    if (error) throw new PlatformRequestError('refused', error.message, { ...answer, error });
    const reason = statusCode >= 500 ? 'server_error' : 'unreadable';
    throw new PlatformRequestError(reason, `HTTP ${statusCode}`, answer);
  }
  const parsed = parseJson(text);
  const id = isObject(parsed) ? toText(parsed.id) : null;
  if (!id) throw new PlatformRequestError('unreadable', 'the answer has no id', answer);
  return id;
}

async function* formOf(
  { mimeType, fileName, bytes }: MediaUpload,
  boundary: string,
): AsyncGenerator<Buffer> {
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  // Characters that would end the name, as browsers write them.
  const quoted = fileName.replaceAll(/["\r\n]/g, encodeURIComponent);
  yield Buffer.from(
    `${field('messaging_product', 'whatsapp')}${field('type', mimeType)}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${quoted}"\r\n` +
      `Content-Type: ${mimeType}\r\n\r\n`,
  );
  yield* bytes;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** Passes chunks on; stops the request when the platform takes none for too long, or does not answer at the end. */
async function* impatiently(
  chunks: AsyncIterable<Buffer>,
  stalled: AbortController,
  timeoutMs: number,
  onError: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(() => stalled.abort(), timeoutMs);
    timer.unref();
  };
  try {
    for await (const chunk of chunks) {
      wait();
      yield chunk;
      clearTimeout(timer);
    }
    wait();
  } catch (error) {
    onError(error);
    throw error;
  }
}

function isTrusted(target: ReadTarget, text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (
    url?.origin === target.origin ||
    (url?.protocol === 'https:' &&
      mediaDomains.some((domain) => `.${url.hostname}`.endsWith(domain)))
  );
}

async function* bounded(body: Readable, accessToken: string): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxFileBytes) {
        throw tooLarge();
      }
      yield chunk;
    }
  } catch (error) {
    throw toDownloadError(error, accessToken);
  }
}

async function readStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxErrorBytes) {
        break;
      }
    }
  } catch {
    // What arrived may still hold the error; the status decides when it does not.
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(): PlatformRequestError {
  return new PlatformRequestError('too_large', `the file exceeds ${maxFileBytes} bytes`);
}

function toDownloadError(error: unknown, accessToken: string): PlatformRequestError {
  if (error instanceof PlatformRequestError) {
    return error;
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'AbortError') {
    return new PlatformRequestError('aborted', 'the download was aborted');
  }
  const reason = name.endsWith('TimeoutError') ? 'timeout' : 'reset';
  return new PlatformRequestError(reason, redact(message, accessToken));
}
