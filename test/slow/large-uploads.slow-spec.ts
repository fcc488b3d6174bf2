import { readFileSync } from 'node:fs';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';

const documentBytes = 100 * 1_048_576;
const uploadsAtOnce = 8;
/** Half of what they weigh together. The peak of a quiet run is 219 MiB. */
const memoryMaxMiB = 400;

const head = Buffer.from(
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\n',
);
const pdfMark = Buffer.byteLength('%PDF-1.4\n');
const chunk = Buffer.alloc(64 * 1_024, 'parley');

/** A form with a document of the largest size; each has bytes of its own. */
async function* formOf(number: number): AsyncGenerator<Buffer> {
  yield head;
  const own = Buffer.from(String(number));
  yield own;
  for (let left = documentBytes - pdfMark - own.length; left > 0; left -= chunk.length) {
    yield chunk.subarray(0, left);
  }
  yield Buffer.from('\r\n--b--\r\n');
}

describe('eight of the largest documents at once', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ own: true });
  });

  afterAll(() => stack?.stop());

  it(`pass through an API process that has at most ${memoryMaxMiB} MiB`, async () => {
    const [api] = stack.apis;
    const answers = await Promise.all(
      Array.from({ length: uploadsAtOnce }, async (_, number) => {
        const response = await fetch(`${api?.url}/api/v1/external/media`, {
          method: 'POST',
          headers: {
            'X-API-Key': installation.apiKey,
            'Content-Type': 'multipart/form-data; boundary=b',
          },
          body: formOf(number),
          duplex: 'half',
        } as unknown as RequestInit);
        return (await response.json()) as { data: { size: number; media_id: string } };
      }),
    );
    expect(answers.map(({ data }) => data.size)).toEqual(
      Array.from({ length: uploadsAtOnce }, () => documentBytes),
    );
    expect(new Set(answers.map(({ data }) => data.media_id)).size).toBe(uploadsAtOnce);
    const status = readFileSync(`/proc/${api?.pid}/status`, 'utf8');
    const peakMiB = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
    expect(peakMiB).toBeGreaterThan(50);
    expect(peakMiB).toBeLessThan(memoryMaxMiB);
  }, 300_000);
});
