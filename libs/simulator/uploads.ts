import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import type { FastifyReply } from 'fastify';
import { answerInstead } from './answers.js';
import { invalidParameter } from './errors.js';
import { type FileContent, keptMaxBytes } from './media.js';
import { essenceOf, fileMaxBytes, mediaTypes } from './media-types.js';
import type { SimulatorState } from './state.js';

/** A form with the fields that have been read, and its file if it has one. */
interface Form {
  fields: Map<string, string>;
  file: FileContent | null;
  mimeType: string;
}

/**
 * Answers `POST /{phone-number-id}/media` with the id of the file. Faults of type `media` apply when
 * the whole file has come. Returns nothing when it has been answered, or nobody is left to answer.
 */
export const handleUpload = async (
  state: SimulatorState,
  phoneNumberId: string,
  request: IncomingMessage,
  reply: FastifyReply,
): Promise<{ id: string } | undefined> => {
  const form = await readForm(request);
  if (form === 'cut') {
    reply.hijack();
    return undefined;
  }
  const plan = state.rules.planCall('media', phoneNumberId, '0', Date.now());
  if (plan !== null && plan.delayMs > 0) await setTimeout(plan.delayMs, null, { ref: false });
  const ending = plan?.ending ?? null;
  const id = ending === null || ending.accept ? storedId(state, form) : '';
  if (ending === null) return { id };
  answerInstead(reply, ending.answer);
  return undefined;
};

const storedId = (state: SimulatorState, form: Form | null): string => {
  const file = form?.file ?? null;
  if (form === null || file === null) throw invalidParameter('The parameter file is required.');
  if (form.fields.get('messaging_product') !== 'whatsapp') {
    throw invalidParameter('The parameter messaging_product is required.');
  }
  const mimeType = essenceOf(form.fields.get('type') ?? form.mimeType);
  const type = mediaTypes.get(mimeType);
  if (type === undefined) {
    const known = [...mediaTypes.keys()].join(', ');
    throw invalidParameter(
      `Param file must be a file with one of the following types: ${known}. Received file of type '${mimeType}'.`,
    );
  }
  if (file.size > type.maxBytes) {
    // The documents name the limits and not the refusal, so these words are ours.
    throw invalidParameter(
      `Param file size out of range: a file of type '${mimeType}' may have ${type.maxBytes} bytes.`,
    );
  }
  return state.media.store(mimeType, file).id;
};

/** Reads a form to its end, whatever is in it; null for what is no form, `cut` when its caller left. */
const readForm = (request: IncomingMessage): Promise<Form | null | 'cut'> => {
  const { 'content-type': type = '' } = request.headers;
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(type)) {
    request.resume();
    return Promise.resolve(null);
  }
  const form: Form = { fields: new Map(), file: null, mimeType: '' };
  let parser: InstanceType<typeof Busboy>;
  try {
    parser = new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { fields: 20, fieldSize: 1000, files: 1, fileSize: fileMaxBytes + 1 },
    });
  } catch {
    // The boundary is too long.
    request.resume();
    return Promise.resolve(null);
  }
  return new Promise((resolve) => {
    parser.on('field', (name, value) => form.fields.set(name, value));
    parser.on('file', (name, stream, _fileName, _encoding, mimeType) => {
      // The parser itself reports a form that breaks off.
      stream.on('error', () => {});
      if (name !== 'file') {
        stream.resume();
        return;
      }
      const hash = createHash('sha256');
      let chunks: Buffer[] = [];
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        hash.update(chunk);
        size += chunk.length;
        if (size <= keptMaxBytes) chunks.push(chunk);
        else chunks = [];
      });
      stream.on('end', () => {
        const bytes = size <= keptMaxBytes ? Buffer.concat(chunks) : null;
        form.file = { size, sha256: hash.digest(), bytes };
        form.mimeType = mimeType;
      });
    });
    parser.once('finish', () => resolve(form));
    parser.once('error', () => {
      request.unpipe(parser);
      request.resume();
      resolve(null);
    });
    request.once('close', () => {
      if (!request.complete) resolve('cut');
    });
    request.pipe(parser);
  });
};
