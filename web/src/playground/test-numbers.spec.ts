import { describe, expect, it } from '@jest/globals';
import { faultOfNumber, readFault } from '../../../libs/simulator/faults.ts';
import { spoiledOutcome, testNumbers, testNumbersFor } from './test-numbers.ts';

describe('a test number', () => {
  const playedBy = Object.fromEntries(
    testNumbers.map(({ name, number }) => [name, faultOfNumber(number.slice(1))]),
  );

  it('is played by the simulator as its name says', () => {
    expect(playedBy).toEqual({
      Read: null,
      'Not on WhatsApp': readFault({ code: 131026 }),
      'Window closed': readFault({ code: 131047 }),
      'No answer': readFault('never-answer'),
      'Fails later': readFault({ failed: 131026 }),
    });
  });

  it('says what a valid message to it comes to, unless that is to be read', () => {
    expect(spoiledOutcome('text', '+15550131026')).toMatch(/refuses the message with 131026/);
    expect(spoiledOutcome('template', '+15550131047')).toBeUndefined();
    expect(spoiledOutcome('text', testNumbers[0]?.number)).toBeUndefined();
    expect(spoiledOutcome('text', '+447700900123')).toBeUndefined();
  });

  it('is not offered to a type of message with which it would do something else', () => {
    const namesFor = (type: Parameters<typeof testNumbersFor>[0]) =>
      testNumbersFor(type).map(({ name }) => name);
    expect(namesFor('button')).toEqual(Object.keys(playedBy));
    expect(namesFor('template_send')).not.toContain('Window closed');
    expect(namesFor('reaction')).not.toContain('Read');
  });
});
