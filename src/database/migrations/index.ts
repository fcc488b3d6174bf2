import { Spine1795000000000 } from './1795000000000-spine.js';
import { Dashboard1795100000000 } from './1795100000000-dashboard.js';
import { Templates1795200000000 } from './1795200000000-templates.js';
import { Webhooks1795300000000 } from './1795300000000-webhooks.js';
import { WebhookMessage1795400000000 } from './1795400000000-webhook-message.js';
import { Pacing1795450000000 } from './1795450000000-pacing.js';
import { Resends1795460000000 } from './1795460000000-resends.js';
import { Traces1795500000000 } from './1795500000000-traces.js';
import { Retried1795600000000 } from './1795600000000-retried.js';
import { DueByNumber1795700000000 } from './1795700000000-due-by-number.js';
import { Untried1795800000000 } from './1795800000000-untried.js';
import { Failed1795900000000 } from './1795900000000-failed.js';
import { DayUnits1796000000000 } from './1796000000000-day-units.js';
import { ReplayMemory1796010000000 } from './1796010000000-replay-memory.js';
import { OlderSecrets1796020000000 } from './1796020000000-older-secrets.js';
import { Held1796100000000 } from './1796100000000-held.js';
import { LeanRows1797000000000 } from './1797000000000-lean-rows.js';
import { OpenEvents1797100000000 } from './1797100000000-open-events.js';
import { LateRows1797200000000 } from './1797200000000-late-rows.js';
import { Contacts1798000000000 } from './1798000000000-contacts.js';

/** All of them, in the order in which they run. */
export const migrations = [
  Spine1795000000000,
  Dashboard1795100000000,
  Templates1795200000000,
  Webhooks1795300000000,
  WebhookMessage1795400000000,
  Pacing1795450000000,
  Resends1795460000000,
  Traces1795500000000,
  Retried1795600000000,
  DueByNumber1795700000000,
  Untried1795800000000,
  Failed1795900000000,
  DayUnits1796000000000,
  ReplayMemory1796010000000,
  OlderSecrets1796020000000,
  Held1796100000000,
  LeanRows1797000000000,
  OpenEvents1797100000000,
  LateRows1797200000000,
  Contacts1798000000000,
];
