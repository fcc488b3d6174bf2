import type { LinkProps } from '@tanstack/react-router';
import type { Alert, ApiKey, Overview } from '../api/types.ts';
import { failedAttempts, offReasons } from '../deliveries/failing-endpoints.ts';
import { defaultName } from '../deliveries/named-endpoint.ts';
import { expiresSoon } from '../keys/expires-soon.ts';
import { counted } from '../parts/numbers.ts';
import { dateAndTime, inOwnZone, momentText, timeUntil } from '../parts/times.ts';
import { plainWords } from '../parts/words.ts';

/** A way to what a matter is about. */
export interface MatterLink extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  readonly name: string;
}

/** Something that needs attention. */
export interface Matter {
  readonly id: string;
  readonly look: 'broken' | 'warning' | 'unknown' | 'ending';
  readonly title: string;
  /** What is wrong. */
  readonly text: string;
  /** What to do about it. */
  readonly todo: string;
  /** Null: it is about a time to come. */
  readonly since: string | null;
  readonly accountId: string | null;
  readonly links: readonly MatterLink[];
  /** The endpoint that it is about: its events have links, too. */
  readonly endpointId?: string;
  /** The alert, where it is one: people can take, mute and close it. */
  readonly alert: Alert | null;
}

type Failing = Overview['failing_endpoints'][number];

type Backlog = Overview['backlogs'][number];

/** Of a backlog, so many events are counted. */
const backlogMax = 10_000;

interface Known {
  readonly overview: Pick<
    Overview,
    'alerts' | 'failing_endpoints' | 'backlogs' | 'broken_mappings' | 'queue'
  >;
  readonly keys: readonly ApiKey[];
  readonly isOperator: boolean;
}

/** All that needs attention: what is broken first. Alerts that are muted need none. */
export function mattersOf({ overview, keys, isOperator }: Known): Matter[] {
  const off = new Set(overview.failing_endpoints.map(({ endpoint_id: id }) => id));
  // An endpoint that is off is listed as an endpoint: it stays until it is enabled.
  const alerts = overview.alerts.filter(
    ({ kind, subject }) => kind !== 'webhook_disabled' || !off.has(subject),
  );
  const isCounted = (alert: Alert) => alert.kind === 'unconfirmed_messages';
  const loud = alerts.filter((alert) => alert.muted_until === null);
  return [
    ...loud.filter((alert) => !isCounted(alert)).map((alert) => alertMatter(alert, isOperator)),
    ...overview.failing_endpoints.map(endpointMatter),
    ...overview.backlogs.map(backlogMatter),
    ...loud.filter(isCounted).map((alert) => alertMatter(alert, isOperator)),
    ...(alerts.some(isCounted) ? [] : unconfirmedMatters(overview.queue)),
    ...overview.broken_mappings.map(mappingMatter),
    ...keys.filter(expiresSoon).map(expiryMatter),
  ];
}

const keyLink = (keyId: string): MatterLink => ({
  name: 'Open the key',
  to: '/keys/$keyId',
  params: { keyId },
});

const unconfirmedLink: MatterLink = {
  name: 'Unconfirmed messages',
  to: '/messages',
  search: { status: 'unconfirmed', resent: 'no' },
};

const unconfirmedTodo =
  'Check that WhatsApp’s notifications reach Parley: they settle these messages. Send urgent ones again.';

interface Advice {
  readonly forOperators: string;
  /** For administrators, who cannot open the account's page; default: the same. */
  readonly forOthers?: string;
}

/** What to do, by kind of alert. */
const advice: Readonly<Record<string, Advice>> = {
  campaign_paused: {
    forOperators: 'Open the campaign to resume or cancel it.',
  },
  database_history: {
    forOperators:
      'Compare what you sent in this time with the list of messages. Send again what is missing, and unconfirmed messages that are urgent. Then resolve this alert.',
  },
  database_restored: {
    forOperators:
      'Resume or cancel the campaigns that are paused for it, and send urgent unconfirmed messages again. What happened after the copy was made is missing. Then resolve this alert.',
  },
  events_withheld: {
    forOperators:
      'Give the keys these permissions if their endpoints are to get the events, or take the events out of the endpoints. Then resolve this alert.',
  },
  number_paused: {
    forOperators:
      'Fix what WhatsApp names, most often the access token on the account’s page. Sending then continues within a minute.',
    forOthers:
      'Ask an operator to fix what WhatsApp names, most often the access token. Sending then continues within a minute.',
  },
  number_quality: {
    forOperators:
      'Send only to people who agreed to it, and send less marketing until the quality is better. WhatsApp Manager shows which templates people block.',
  },
  account_notice: {
    forOperators: 'Open WhatsApp Manager and do what it asks for. Then resolve this alert.',
  },
  platform_error: {
    forOperators:
      'Look in WhatsApp Manager for what the error names, and fix it. Then resolve this alert.',
  },
  token_expiring: {
    forOperators:
      'Make a token without an end at Meta, and enter it on the account’s page before then.',
    forOthers: 'Ask an operator to enter another access token before then.',
  },
  token_refused: {
    forOperators: 'Make another token at Meta, and enter it on the account’s page.',
    forOthers: 'Ask an operator to enter another access token.',
  },
  unconfirmed_messages: { forOperators: unconfirmedTodo },
  webhook_disabled: {
    forOperators: 'This endpoint is no longer in use. Resolve this alert.',
  },
};

const looks: Readonly<Record<string, Matter['look']>> = {
  token_expiring: 'ending',
  unconfirmed_messages: 'unknown',
};

/** An alert as something to look at. */
export function alertMatter(alert: Alert, isOperator: boolean): Matter {
  const { id, kind, message, account_id: accountId } = alert;
  const { forOperators, forOthers = forOperators } = advice[kind] ?? {
    forOperators: 'Resolve this alert when the cause is fixed.',
  };
  return {
    id,
    look: looks[kind] ?? 'broken',
    title: plainWords(kind),
    text: inOwnZone(message),
    ...countedWords(alert),
    todo: isOperator ? forOperators : forOthers,
    since: alert.created_at,
    accountId,
    links: alertLinks(alert, isOperator),
    alert,
  };
}

const itOf = (count: number) => (count === 1 ? 'it' : 'them');

/** The message of this alert also says what to do; here that has a sentence of its own. */
function countedWords({ kind, details }: Alert): Pick<Matter, 'title' | 'text'> | null {
  const { count } = details as { count?: unknown };
  if (kind !== 'unconfirmed_messages' || typeof count !== 'number') return null;
  const it = itOf(count);
  return {
    title: `${counted(count, 'message')} unconfirmed`,
    text: `WhatsApp has not reported on ${it} for more than five minutes. It may have ${it}.`,
  };
}

function alertLinks(alert: Alert, isOperator: boolean): MatterLink[] {
  const { kind, details } = alert;
  if (kind === 'unconfirmed_messages') return [unconfirmedLink];
  if (kind === 'webhook_disabled') {
    const { api_key_id: keyId } = details as { api_key_id?: unknown };
    return typeof keyId === 'string' ? [keyLink(keyId)] : [];
  }
  if (kind === 'campaign_paused') {
    const params = { campaignId: alert.subject };
    return [{ name: 'Open the campaign', to: '/campaigns/$campaignId', params }];
  }
  if (!isOperator) return [];
  const params = { accountId: alert.account_id };
  return [{ name: 'Open the account', to: '/accounts/$accountId', params }];
}

const endpointTitle = ({ endpoint_name: name, api_key_name: keyName }: Failing | Backlog) =>
  name === defaultName ? `Webhook of “${keyName}”` : `Endpoint “${name}” of “${keyName}”`;

function endpointMatter(endpoint: Failing): Matter {
  const { endpoint_id: id } = endpoint;
  const isOff = endpoint.disabled_at !== null;
  return {
    id: `endpoint ${id}`,
    look: 'broken',
    title: `${endpointTitle(endpoint)} ${isOff ? 'is switched off' : 'fails'}`,
    text: isOff ? offText(endpoint) : failingText(endpoint),
    todo: isOff
      ? 'Fix your endpoint. Then open the key, enable the endpoint and recover what it missed.'
      : 'Look at what your endpoint answered, and fix it. Parley tries the events again by itself.',
    since: endpoint.since,
    accountId: endpoint.account_id,
    endpointId: id,
    links: [keyLink(endpoint.api_key_id)],
    alert: null,
  };
}

const offText = ({ reason }: Failing) =>
  `${offReasons[reason ?? ''] ?? 'Parley switched it off.'} Its events fail until you enable it.`;

function failingText({ failures, off_at: offAt }: Failing): string {
  const text = `${failedAttempts(failures)}, none succeeded since.`;
  return offAt === null
    ? text
    : `${text} Without a success it is switched off on ${momentText(offAt)}.`;
}

function backlogMatter(backlog: Backlog): Matter {
  const { endpoint_id: id, events, since, last_try_at: lastTry } = backlog;
  const more = events < backlogMax ? '' : ' or more';
  return {
    id: `backlog ${id}`,
    look: 'warning',
    title: `${endpointTitle(backlog)} works again; ${counted(events, 'event')}${more} still wait`,
    text: `They failed before. Parley tries them again by itself, the last of them on ${momentText(lastTry)}.`,
    todo: 'Redeliver them now, or leave them to Parley.',
    since,
    accountId: backlog.account_id,
    endpointId: id,
    links: [],
    alert: null,
  };
}

/** What was sent again needs nobody. */
function unconfirmedMatters({
  unconfirmed_not_resent: { count, since },
}: Overview['queue']): Matter[] {
  if (count === 0) return [];
  const it = itOf(count);
  return [
    {
      id: 'unconfirmed',
      look: 'unknown',
      title: `${counted(count, 'message')} unconfirmed`,
      text: `WhatsApp may have ${it}. Parley does not send ${it} again.`,
      todo: unconfirmedTodo,
      since,
      accountId: null,
      links: [unconfirmedLink],
      alert: null,
    },
  ];
}

const mappingMatter = (mapping: Overview['broken_mappings'][number]): Matter => ({
  id: `mapping ${mapping.api_key_id} ${mapping.template_id}`,
  look: 'warning',
  title: `Template ${mapping.template_name} changed`,
  text: `Its mapping for “${mapping.api_key_name}” no longer fits: ${mapping.reason}.`,
  todo: 'Map its variables again. Until then, sends with it are refused.',
  since: mapping.since,
  accountId: null,
  links: [
    {
      name: 'Open the mapping',
      to: '/templates/$templateId',
      params: { templateId: mapping.template_id },
      search: { key: mapping.api_key_id },
    },
  ],
  alert: null,
});

const expiryMatter = ({ id, name, expires_at: at, account_id: accountId }: ApiKey): Matter => ({
  id: `expiry ${id}`,
  look: 'ending',
  title: `Key “${name}” expires ${timeUntil(at ?? '')}`,
  text: `Its requests are refused from ${dateAndTime(at ?? '')}.`,
  todo: 'Give it a later date, or move your program to another key before then.',
  since: null,
  accountId,
  links: [keyLink(id)],
  alert: null,
});
