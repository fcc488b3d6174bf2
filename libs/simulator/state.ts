import { Ledger } from './ledger.js';
import { BusinessNumbers } from './numbers.js';
import { DEFAULT_STRICTNESS, type SimulatorOptions, type Strictness } from './options.js';
import { Rules } from './rules.js';

/** Everything that one simulator remembers. */
export interface SimulatorState {
  readonly strictness: Strictness;
  readonly ledger: Ledger;
  readonly rules: Rules;
  readonly numbers: BusinessNumbers;
}

/** A simulator's memory when it starts. */
export const newState = (options: SimulatorOptions): SimulatorState => ({
  strictness: { ...DEFAULT_STRICTNESS, ...options.strictness },
  ledger: new Ledger(),
  rules: new Rules(),
  numbers: new BusinessNumbers(),
});
