import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '../errors/app-error.js';
import { StreamedBody } from '../http/server/streamed-body.js';
import { openForm } from './upload-form.js';

const type = 'multipart/form-data; boundary=b';
const part = (disposition: string, content = 'abc') =>
  `--b\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`;
const file = part('form-data; name="file"; filename="a.txt"');

/** A form that has come in whole, in pieces of some bytes. */
function bodyOf(text: string, contentType: string, pieceBytes: number): StreamedBody {
  const bytes = Buffer.from(text, 'latin1');
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(bytes.subarray(at, at + pieceBytes));
  }
  const message = Readable.from(pieces);
  return new StreamedBody(
    Object.assign(message, {
      complete: true,
      headers: { 'content-type': contentType },
    }) as unknown as IncomingMessage,
    1_000_000,
  );
}

/** The content of the file, or the fields that are named when the form is refused. */
async function read(text: string, contentType = type, pieceBytes = 1_000_000): Promise<unknown> {
  try {
    const form = await openForm(bodyOf(text, contentType, pieceBytes));
    let content = '';
    for (;;) {
      const next = await form.chunks.next();
      if (next.done === true) break;
      content += next.value.toString('latin1');
    }
    await form.isComplete;
    return content;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Object.keys(error.fields ?? {});
  }
}

describe('a form with a file', () => {
  it.each([1, 7, 1_000_000])('is read in pieces of %i bytes', async (pieceBytes) => {
    const whole = `${part('form-data; name="type"', 'text/plain')}${file}--b--\r\n`;
    expect(await read(whole, type, pieceBytes)).toBe('abc');
  });

  it.each([
    ['nothing', ''],
    ['no boundary', 'abc'],
    ['its first boundary only', '--b'],
    ['a part without an end of its header', '--b\r\nContent-Disposition: form-data; name="file"'],
    ['a file without its end', file.slice(0, -3)],
    ['a large file without its end', part('form-data; name="file"', 'a'.repeat(200_000))],
    ['no final boundary', file],
    ['half a final boundary', `${file}--b-`],
    [
      'another field without its end',
      `${file}--b\r\n${part('form-data; name="type"').slice(0, -3)}`,
    ],
    ['a second part without a header', `${file}--b\r\n`],
  ])('that breaks off is refused: %s', async (_, text) => {
    expect([await read(text), await read(text, type, 3)]).toEqual([['body'], ['body']]);
  });

  it.each([
    ['no part', '--b--\r\n', ['file']],
    [
      'a part without a disposition',
      '--b\r\nContent-Type: text/plain\r\n\r\nabc\r\n--b--',
      ['file'],
    ],
    ['a part of another disposition', `${part('attachment; name="file"')}--b--`, ['file']],
    ['a part whose header is no header', '--b\r\nfile\r\n\r\nabc\r\n--b--', ['file']],
    [
      'a part whose header is too long',
      `${part(`form-data; a="${'a'.repeat(20_000)}"; name="file"`)}--b--`,
      ['body'],
    ],
    ['a part without a name', `${part('form-data')}--b--`, ['body']],
    ['a field of another name', `${part('form-data; name="__proto__"')}--b--`, ['__proto__']],
    ['two files', `${file}${file}--b--`, ['file']],
    ['too many parts', `${part('form-data; name="type"').repeat(5)}${file}--b--`, ['body']],
  ])('is refused that has %s', async (_, text, fields) => {
    expect(await read(text)).toEqual(fields);
    expect(await read(text, type, 5)).toEqual(fields);
  });

  it.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['an empty boundary in quotes', 'multipart/form-data; boundary=""'],
    ['a parameter of another name', 'multipart/form-data; xboundary=b'],
    ['another type', 'multipart/mixed; boundary=b'],
    ['a long boundary', `multipart/form-data; boundary=${'b'.repeat(253)}`],
    ['a very long boundary', `multipart/form-data; boundary="${'b'.repeat(10_000)}"`],
  ])('is refused when its content type has %s', async (_, contentType) => {
    expect(await read(`${file}--b--`, contentType)).toEqual(['Content-Type']);
  });
});
