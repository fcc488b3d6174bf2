import { isAtLeast, type Role } from '../../access/signed-in-user.js';
import type { SearchResultDto } from './search.dto.js';

interface DashboardPage {
  readonly path: string;
  readonly title: string;
  /** What it shows, in the words that people search it by. */
  readonly about: string;
  /** The lowest role that may open it; default: viewers. */
  readonly role?: Role;
}

/** Pages with a place in the menu, and the forms that begin something. */
const pages: readonly DashboardPage[] = [
  { path: '', title: 'Overview', about: 'Home, statistics, totals, failures of the last day' },
  { path: '/playground', title: 'Playground', about: 'Try a send, test a message, code samples' },
  {
    path: '/sandbox',
    title: 'Sandbox phone',
    about: 'Simulator, test phone, conversation, answer as a user',
  },
  { path: '/messages', title: 'Messages', about: 'Sent, outbox, failed, delivered, read, log' },
  {
    path: '/requests',
    title: 'Requests',
    about: 'Request log, API calls, refused, accepted, error codes, latency, addresses',
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    about: 'Events, deliveries, callbacks, endpoints, retries',
  },
  { path: '/alerts', title: 'Alerts', about: 'Warnings, problems, paused numbers, incidents' },
  {
    path: '/contacts',
    title: 'Contacts',
    about: 'Audience, users, recipients, opt-out, consent, unsubscribed',
  },
  {
    path: '/campaigns',
    title: 'Campaigns',
    about: 'Audience, bulk, broadcast, newsletter, pause, resume, cancel, progress',
  },
  {
    path: '/campaigns/new',
    title: 'New campaign',
    about: 'Create, upload a CSV file of recipients, broadcast, newsletter',
    role: 'administrator',
  },
  {
    path: '/keys',
    title: 'API keys',
    about: 'Tokens, credentials, permissions, limits, rotate, revoke',
  },
  {
    path: '/keys/new',
    title: 'New API key',
    about: 'Create, add a key or token',
    role: 'administrator',
  },
  { path: '/templates', title: 'Templates', about: 'Mappings, variables, sync, approval' },
  {
    path: '/me',
    title: 'Your account',
    about: 'Second factor, two-factor, authenticator, recovery codes, your sessions',
  },
  {
    path: '/accounts',
    title: 'Accounts',
    about: 'Business numbers, phone numbers, tenants, app secret, access token',
    role: 'operator',
  },
  {
    path: '/accounts/new',
    title: 'New account',
    about: 'Create, add an account or a business number',
    role: 'operator',
  },
  {
    path: '/users',
    title: 'Users',
    about: 'Team, people, operators, administrators, viewers, invitations, passwords, roles',
    role: 'operator',
  },
  {
    path: '/audit-log',
    title: 'Audit log',
    about: 'History, changes, sign-ins, who did what',
  },
];

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Whether each word of one list begins a word of the other. */
const begin = (asked: readonly string[], words: readonly string[]) =>
  asked.every((each) => words.some((word) => word.startsWith(each)));

/** The pages that a user may open and that have these words, first those that have them in their title. */
export function findPages(text: string, role: Role, limit: number): SearchResultDto[] {
  const asked = wordsOf(text);
  if (asked.length === 0) return [];
  const open = pages.filter((page) => isAtLeast(role, page.role ?? 'viewer'));
  const byTitle = open.filter(({ title }) => begin(asked, wordsOf(title)));
  const byAbout = open.filter(({ title, about }) => begin(asked, wordsOf(`${title} ${about}`)));
  return [...new Set([...byTitle, ...byAbout])].slice(0, limit).map(({ path, title, about }) => {
    const href = `/dashboard${path}`;
    return { kind: 'page', id: href, title, subtitle: about, mode: null, at: null, href };
  });
}
