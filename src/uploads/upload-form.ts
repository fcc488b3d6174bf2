import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { AppError, validationError } from '../errors/app-error.js';
import type { StreamedBody } from '../http/server/streamed-body.js';

/** The file of a form that is still coming in. */
export interface FormFile {
  /** As the form gives it; empty where it does not. */
  readonly mimeType: string;
  /** As the form gives it, without folders; null where it does not. */
  readonly fileName: string | null;
  /** The bytes, once. Fails as `isComplete` does. */
  readonly chunks: AsyncIterator<Buffer>;
  /** When the whole form has come in. Rejects with what was wrong with it. */
  readonly isComplete: Promise<void>;
  /** Drops what is still to come, so that the client reads the answer. */
  readonly drop: () => void;
}

const fewFields = { fields: 3, parts: 4 };
const manyFields = { fields: 20, parts: 21 };

/** What WhatsApp's own upload has beside the file, and Parley knows by itself. */
const ignoredFields: ReadonlySet<string> = new Set(['messaging_product', 'type']);

const formType = /^multipart\/form-data\s*;(?:.*[\s;])?boundary="?[^\s";]/i;

/** How a form is read. */
export interface FormOptions {
  /** Hears the SHA-256 of the whole body, in hex; what it throws ends the reading. */
  readonly onEnd?: ((sha256: string) => void) | undefined;
  /** Whether fields of any name may stand beside the file. Default: those of WhatsApp's own upload may. */
  readonly ignoresOthers?: boolean;
}

/**
 * Reads a form up to the beginning of its field `file`.
 * @throws AppError VALIDATION_ERROR for anything else
 */
export function openForm(
  body: StreamedBody,
  { onEnd, ignoresOthers = false }: FormOptions = {},
): Promise<FormFile> {
  const { contentType } = body;
  const parser = parserOf(contentType, ignoresOthers ? manyFields : fewFields);
  const source = Readable.from(body.read(onEnd));
  return new Promise((resolve, reject) => {
    let file: BusboyFileStream | null = null;
    const isComplete = new Promise<void>((complete, fail) => {
      const end = (error: unknown) => {
        source.unpipe(parser);
        source.destroy();
        const fault = error instanceof AppError ? error : notReadable();
        file?.destroy(fault);
        reject(fault);
        fail(fault);
      };
      source.once('error', end);
      // The parser may tell of one fault more than once.
      parser.on('error', end);
      parser.on('field', (name: string | undefined) => {
        if (name === undefined)
          end(
            validationError({
              body: 'has a part without a name, or with a header of more than 8 KiB',
            }),
          );
        else if (!ignoresOthers && !ignoredFields.has(name)) {
          end(validationError({ [name]: 'is not a field; send file' }));
        }
      });
      parser.once('filesLimit', () => end(validationError({ file: 'must be given once' })));
      parser.once('partsLimit', () =>
        end(validationError({ body: 'must have the field file only' })),
      );
      parser.once('finish', () => {
        if (file) complete();
        else end(validationError({ file: 'is required' }));
      });
    });
    // The stream of the file fails too; nobody may be waiting for this yet.
    isComplete.catch(() => undefined);
    parser.once('file', (_name, stream, fileName, _encoding, mimeType) => {
      file = stream;
      // The stream may have no reader yet; a later reader gets the error then.
      stream.on('error', () => undefined);
      resolve({
        mimeType: mimeType ?? '',
        fileName: fileName ?? null,
        chunks: chunksOf(stream),
        isComplete,
        drop: () => {
          source.unpipe(parser);
          source.destroy();
        },
      });
    });
    source.pipe(parser);
  });
}

/** @throws AppError for a type that is no form, or a boundary that the parser does not take. */
function parserOf(
  contentType: string,
  fields: { fields: number; parts: number },
): InstanceType<typeof Busboy> {
  if (formType.test(contentType)) {
    try {
      return new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          files: 1,
          ...fields,
          fieldSize: 1_024,
          headerPairs: 20,
          headerSize: 8_192,
        },
        isPartAFile: (name) => name === 'file',
      });
    } catch {
      // Refused below.
    }
  }
  throw validationError({
    'Content-Type': 'must be multipart/form-data, with a boundary of 1 to 70 characters',
  });
}

/** The parser's own faults reach the reader of the file as what they are: the form breaks off. */
async function* chunksOf(file: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* file as AsyncIterable<Buffer>;
  } catch (error) {
    throw error instanceof AppError ? error : notReadable();
  }
}

const notReadable = () => validationError({ body: 'is not a complete form' });
