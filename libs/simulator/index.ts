export type { Fault, NamedFault } from './faults.js';
export type { LedgerStats, MessageStatus, Outcome } from './ledger.js';
export type { LogRecord, SimulatorOptions, StatusDelays, Strictness } from './options.js';
export type { Rule, RuleMatch } from './rules.js';
export { type Simulator, startSimulator } from './server.js';
