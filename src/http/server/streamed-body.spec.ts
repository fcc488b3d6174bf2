import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { Timers } from '../../timers/timers.js';
import { HeldBodies } from './held-bodies.js';
import { StreamedBody } from './streamed-body.js';

const patient = { maxMs: 60_000, graceMs: 60_000, minBytesPerSecond: 1 };

describe('a body that is read while it comes in', () => {
  const message = () =>
    Object.assign(new PassThrough(), { complete: false, headers: {} }) as PassThrough &
      IncomingMessage;

  async function read(body: StreamedBody, onEnd?: (sha256: string) => void): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of body.read(onEnd)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  const refusal = (fault: string) => ({
    code: 'VALIDATION_ERROR',
    details: { fields: { body: fault } },
  });

  it('is passed on, and its hash is told', async () => {
    const sent = message();
    const told: string[] = [];
    const got = read(new StreamedBody(sent, 10, patient), (sha256) => told.push(sha256));
    sent.write('ab');
    sent.complete = true;
    sent.end('c');
    expect(await got).toBe('abc');
    expect(told).toEqual(['ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad']);
  });

  it('is refused with the first byte beyond its limit, and the rest is dropped', async () => {
    const sent = message();
    const got = read(new StreamedBody(sent, 2, patient));
    sent.write('abc');
    await expect(got).rejects.toMatchObject(refusal('must be at most 0 MB'));
    sent.end('more');
    await new Promise((resolve) => sent.once('end', resolve));
  });

  it.each([
    ['nothing comes', { ...patient, graceMs: 5 }, ''],
    ['it takes too long', { ...patient, maxMs: 5 }, 'ab'],
    ['it is slow', { ...patient, graceMs: 5, minBytesPerSecond: 1_000 }, 'ab'],
  ])('is refused when %s', async (_, limits, begin) => {
    const sent = message();
    const got = read(new StreamedBody(sent, 10, limits));
    if (begin !== '') sent.write(begin);
    await expect(got).rejects.toMatchObject(refusal('came in too slowly'));
  });

  it('is refused when it breaks off', async () => {
    const [cut, ended] = [message(), message()];
    const got = [cut, ended].map((sent) => read(new StreamedBody(sent, 10, patient)));
    cut.write('ab');
    cut.destroy(new Error('aborted'));
    ended.end('ab');
    for (const each of got) await expect(each).rejects.toMatchObject(refusal('broke off'));
  });
});

describe('a body that is kept until it is complete', () => {
  it('is given up when it takes too long', async () => {
    const timers = new Timers({ warn: () => {} });
    const held = new HeldBodies(timers, { maxMs: 0, checkEveryMs: 1 });
    const reason = await new Promise((resolve) =>
      held.begin(new PassThrough() as unknown as IncomingMessage, resolve),
    );
    expect(reason).toBe('late');
    timers.stop();
  });
});
