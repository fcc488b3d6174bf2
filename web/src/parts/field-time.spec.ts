import { runInThisContext } from 'node:vm';
import { afterAll, describe, expect, it } from '@jest/globals';
import { fieldTime, readField } from './field-time.ts';

/** The environment of the real process: `process` of a test is a copy, which sets no zone. */
const env: NodeJS.ProcessEnv = runInThisContext('process.env');
const { TZ } = env;

const inZone = (zone: string) => {
  env.TZ = zone;
};

const atOf = (text: string, filledWith?: string) =>
  readField(text, { zone: 'local', filledWith }).at;

describe('a time in a field', () => {
  afterAll(() => {
    if (TZ === undefined) delete env.TZ;
    else env.TZ = TZ;
  });

  it.each([
    ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '2026-07-01T12:00:30', '2026-07-01T10:00:30.000Z'],
    ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00:00.000Z'],
    ['Europe/Berlin', '0002-11-22T02:00', '0002-11-22T01:06:32.000Z'],
  ])('in %s, %s is one moment', (zone, text, at) => {
    inZone(zone);
    expect(readField(text, { zone: 'local' })).toEqual({ at });
    expect(fieldTime(new Date(at), 'local').startsWith(text)).toBe(true);
  });

  it.each([
    ['Europe/Berlin', '2026-03-29T02:00', '29 Mar 2026', '03:00'],
    ['Europe/Berlin', '2026-03-29T02:59:59', '29 Mar 2026', '03:00'],
    ['America/New_York', '2026-03-08T02:30', '8 Mar 2026', '03:00'],
    // The clocks of Cairo are put forward at midnight, those of Lord Howe by half an hour.
    ['Africa/Cairo', '2026-04-24T00:15', '24 Apr 2026', '01:00'],
    ['Australia/Lord_Howe', '2026-10-04T02:10', '4 Oct 2026', '02:30'],
  ])('in %s, there is no %s, and the next one is named', (zone, text, day, next) => {
    inZone(zone);
    const time = text.slice(11);
    expect(readField(text, { zone: 'local' })).toEqual({
      fault: `There is no ${time} on ${day}: clocks are put forward. The next time is ${next}.`,
    });
  });

  it('names the day of the next time where a whole day is left out', () => {
    inZone('Pacific/Apia');
    expect(readField('2011-12-30T10:00', { zone: 'local' }).fault).toBe(
      'There is no 10:00 on 30 Dec 2011: clocks are put forward. The next time is 31 Dec 2011, 00:00.',
    );
  });

  it.each([
    ['Europe/Berlin', '2026-10-25T02:30', '25 Oct 2026', '00:30', '01:30'],
    ['America/New_York', '2026-11-01T01:15:20', '1 Nov 2026', '05:15', '06:15'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '5 Apr 2026', '14:45', '15:15'],
  ])('in %s, %s is the earlier of two, which is said', (zone, text, day, first, second) => {
    inZone(zone);
    const { at, note, fault } = readField(text, { zone: 'local' });
    expect(fault).toBeUndefined();
    expect(at?.slice(11, 16)).toBe(first);
    expect(note).toBe(
      `Clocks are put back on ${day}, so this time comes twice. This is the first one, ${first} UTC.`,
    );
    // A field that was filled with the second one means it until somebody changes it.
    const later = new Date(`${at?.slice(0, 11)}${second}${at?.slice(16)}`).toISOString();
    expect(readField(text, { zone: 'local', filledWith: later })).toEqual({
      at: later,
      note: `Clocks are put back on ${day}, so this time comes twice. This is the second one, ${second} UTC.`,
    });
  });

  it.each(['2026-10-25T01:59', '2026-10-25T03:00'])('in Berlin, %s comes once', (text) => {
    inZone('Europe/Berlin');
    expect(readField(text, { zone: 'local' })).toEqual({ at: expect.any(String) });
  });

  it('has no gap and comes once in UTC', () => {
    inZone('Europe/Berlin');
    for (const day of ['2026-03-29', '2026-10-25']) {
      const at = `${day}T02:30:00.000Z`;
      expect(readField(`${day}T02:30`, { zone: 'UTC' })).toEqual({ at });
      expect(fieldTime(new Date(at), 'UTC')).toBe(`${day}T02:30:00`);
    }
  });

  it('is exactly what the field was filled with, until it is changed', () => {
    inZone('Europe/Berlin');
    const filledWith = '2026-11-22T09:42:07.120Z';
    expect(atOf('2026-11-22T10:42', filledWith)).toBe(filledWith);
    expect(atOf('2026-11-22T10:43', filledWith)).toBe('2026-11-22T09:43:00.000Z');
  });

  it.each(['', '2026-11-22', '2026-11-22T', '2026-02-30T10:00', '2026-11-22T10', 'soon'])(
    'is incomplete: %j',
    (text) => {
      inZone('Europe/Berlin');
      for (const zone of ['local', 'UTC'] as const) {
        expect(readField(text, { zone })).toEqual({ fault: 'Enter a date and a time.' });
      }
    },
  );
});
