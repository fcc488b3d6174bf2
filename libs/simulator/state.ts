import { Conversations } from './conversations.js';
import { Ledger } from './ledger.js';
import { MediaFiles } from './media.js';
import { BusinessNumbers } from './numbers.js';
import {
  defaultStatusDelays,
  defaultStrictness,
  type LogRecord,
  type SimulatorOptions,
  type Strictness,
} from './options.js';
import { Prices } from './prices.js';
import { Reads } from './reads.js';
import { Receiver } from './receiver.js';
import { Rules } from './rules.js';
import { Statuses } from './statuses.js';
import { Templates } from './templates.js';
import { Tokens } from './tokens.js';
import { Users } from './users.js';
import { Webhooks } from './webhooks.js';
import { Windows } from './windows.js';

/** Everything that one simulator remembers. */
export interface SimulatorState {
  readonly log: (record: LogRecord) => void;
  readonly strictness: Strictness;
  readonly ledger: Ledger;
  readonly rules: Rules;
  readonly numbers: BusinessNumbers;
  readonly users: Users;
  readonly templates: Templates;
  readonly media: MediaFiles;
  readonly conversations: Conversations;
  readonly reads: Reads;
  readonly windows: Windows;
  readonly prices: Prices;
  readonly receiver: Receiver;
  readonly tokens: Tokens;
  /** Null if nothing is to be reported. */
  readonly webhooks: Webhooks | null;
  readonly statuses: Statuses | null;
  /** Forgets everything, as after a new start; without `reports` it sends no webhooks from now on. */
  readonly reset: (wanted: { reports: boolean }) => void;
}

/** A simulator's memory when it starts. Throws when webhooks have a URL and no secret. */
export const newState = (options: SimulatorOptions): SimulatorState => {
  const state: SimulatorState = {
    ...newMemory(options),
    reset: ({ reports }) => {
      const { webhookUrl: _, ...silent } = options;
      state.webhooks?.close();
      Object.assign(state, newMemory(reports ? options : silent));
    },
  };
  return state;
};

const newMemory = (options: SimulatorOptions): Omit<SimulatorState, 'reset'> => {
  const ledger = new Ledger();
  const numbers = new BusinessNumbers();
  const users = new Users();
  const webhooks = newWebhooks(options, numbers);
  const conversations = new Conversations(ledger, (notification) => webhooks?.send(notification));
  const prices = new Prices(conversations);
  const delays = { ...defaultStatusDelays, ...options.statusDelays };
  return {
    log: options.log ?? (() => {}),
    strictness: { ...defaultStrictness, ...options.strictness },
    ledger,
    rules: new Rules(),
    numbers,
    users,
    templates: new Templates(),
    media: new MediaFiles(),
    conversations,
    reads: new Reads(conversations, options.now ?? Date.now),
    windows: new Windows(users, conversations),
    prices,
    receiver: new Receiver(),
    tokens: new Tokens(options.now ?? Date.now),
    webhooks,
    statuses: webhooks === null ? null : new Statuses({ webhooks, numbers, users, prices }, delays),
  };
};

const newWebhooks = (
  { webhookUrl: url, appSecret, webhookRetryMs: retryMs = 1000, log = () => {} }: SimulatorOptions,
  numbers: BusinessNumbers,
): Webhooks | null => {
  if (url === undefined) return null;
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new RangeError(`SIMULATOR_WEBHOOK_URL is "${url}": it takes an http or https address`);
  }
  if (appSecret === undefined) {
    throw new RangeError('SIMULATOR_APP_SECRET is required with SIMULATOR_WEBHOOK_URL');
  }
  const isWanted = (accountId: string) => numbers.account(accountId).subscribed;
  return new Webhooks({ url, appSecret, retryMs, isWanted, log });
};
