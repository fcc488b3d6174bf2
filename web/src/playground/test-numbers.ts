import { to } from './message-kind.ts';
import type { PlaygroundType } from './playground-types.ts';

/** A recipient that the simulator plays. */
export interface TestNumber {
  readonly number: string;
  readonly name: string;
  /** What becomes of a message to it. */
  readonly outcome: string;
  /** Types of which that is not true. */
  readonly except?: readonly PlaygroundType[];
}

export const testNumbers: readonly TestNumber[] = [
  {
    number: to,
    name: 'Read',
    outcome: 'The message is delivered, then read.',
    // Nobody is told what becomes of a reaction.
    except: ['reaction'],
  },
  {
    number: '+15550131026',
    name: 'Not on WhatsApp',
    outcome: 'WhatsApp refuses the message with 131026: not on WhatsApp.',
  },
  {
    number: '+15550131047',
    name: 'Window closed',
    outcome: 'WhatsApp refuses the message with 131047: the 24-hour window is closed.',
    // WhatsApp takes them at any time.
    except: ['template', 'template_send'],
  },
  {
    number: '+15552000001',
    name: 'No answer',
    outcome: 'WhatsApp never answers, so the message becomes unconfirmed.',
  },
  {
    number: '+15551131026',
    name: 'Fails later',
    outcome: 'WhatsApp accepts the message, then reports that it failed with 131026.',
  },
];

/** Those that do with a message of the type what they say. */
export const testNumbersFor = (type: PlaygroundType) =>
  testNumbers.filter(({ except }) => !except?.includes(type));

/** What the simulator does with a valid message to one of these numbers; undefined for other numbers, and where it is read. */
export const spoiledOutcome = (type: PlaygroundType, recipient: unknown): string | undefined =>
  testNumbersFor(type).find(({ number, name }) => number === recipient && name !== 'Read')?.outcome;
