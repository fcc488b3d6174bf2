import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  retainSearchParams,
  stringifySearchWith,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { part } from './parts/missing-part.ts';
import { NoSuchPage } from './shell/no-such-page.tsx';
import { PageFailure } from './shell/page-failure.tsx';
import { Shell } from './shell/shell.tsx';

/**
 * A page whose code is loaded when it is first opened. The type does not say what the module exports: the router's type
 * would then depend on the pages, which depend on it, and every parameter of the address would be `any`.
 */
const page = (load: () => Promise<object>, name: string) =>
  lazyRouteComponent(part(load as () => Promise<Record<string, () => ReactNode>>), name);

/** Parameters of the address that are text; the router reads `q=12` as a number. */
const texts =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): { [N in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name];
        return typeof value === 'string' || typeof value === 'number'
          ? [[name, String(value)]]
          : [];
      }),
    ) as { [N in Name]?: string };

const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NoSuchPage,
  // The account and the mode that all pages are about. They go with every link, so that a shared one shows the same.
  validateSearch: texts('account', 'mode'),
  search: { middlewares: [retainSearchParams(['account', 'mode'])] },
});

/** A page of its own, at this path. */
const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => rootRoute, path });

const overview = createRoute({
  ...at('/'),
  validateSearch: texts('range'),
  component: page(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});

const keys = createRoute({
  ...at('/keys'),
  validateSearch: texts('q', 'state'),
  component: page(() => import('./keys/keys-page.tsx'), 'KeysPage'),
});

const newKey = createRoute({
  ...at('/keys/new'),
  validateSearch: texts('for'),
  component: page(() => import('./keys/new-key-page.tsx'), 'NewKeyPage'),
});

const key = createRoute({
  ...at('/keys/$keyId'),
  component: page(() => import('./keys/key-page.tsx'), 'KeyPage'),
});

const editKey = createRoute({
  ...at('/keys/$keyId/edit'),
  component: page(() => import('./keys/edit-key-page.tsx'), 'EditKeyPage'),
});

const messages = createRoute({
  ...at('/messages'),
  validateSearch: texts('q', 'status', 'code', 'resent', 'key', 'type', 'range', 'from', 'to'),
  component: page(() => import('./messages/messages-page.tsx'), 'MessagesPage'),
});

const message = createRoute({
  ...at('/messages/$messageId'),
  validateSearch: texts('tab'),
  component: page(() => import('./messages/message-page.tsx'), 'MessagePage'),
});

const requests = createRoute({
  ...at('/requests'),
  validateSearch: texts(
    ...([
      'q',
      'result',
      'route',
      'status',
      'code',
      'key',
      'range',
      'from',
      'to',
      'request_id',
    ] as const),
  ),
  component: page(() => import('./requests/requests-page.tsx'), 'RequestsPage'),
});

const contacts = createRoute({
  ...at('/contacts'),
  validateSearch: texts('q', 'opted_out'),
  component: page(() => import('./contacts/contacts-page.tsx'), 'ContactsPage'),
});

const contact = createRoute({
  ...at('/contacts/$contactId'),
  component: page(() => import('./contacts/contact-page.tsx'), 'ContactPage'),
});

const campaigns = createRoute({
  ...at('/campaigns'),
  validateSearch: texts('status'),
  component: page(() => import('./campaigns/campaigns-page.tsx'), 'CampaignsPage'),
});

const campaign = createRoute({
  ...at('/campaigns/$campaignId'),
  validateSearch: texts('status', 'code', 'q'),
  component: page(() => import('./campaigns/campaign-page.tsx'), 'CampaignPage'),
});

const newCampaign = createRoute({
  ...at('/campaigns/new'),
  component: page(() => import('./campaigns/new/new-campaign-page.tsx'), 'NewCampaignPage'),
});

const campaignDraft = createRoute({
  ...at('/campaigns/$draftId/draft'),
  validateSearch: texts('step'),
  component: page(() => import('./campaigns/new/draft-page.tsx'), 'DraftPage'),
});

const playground = createRoute({
  ...at('/playground'),
  validateSearch: texts('type', 'key', 'to', 'message', 'template', 'language'),
  component: page(() => import('./playground/playground-page.tsx'), 'PlaygroundPage'),
});

const sandbox = createRoute({
  ...at('/sandbox'),
  validateSearch: texts('phone', 'q'),
  component: page(() => import('./sandbox/sandbox-page.tsx'), 'SandboxPage'),
});

// The list and one thing of it are one page: it stays while the detail next to the list changes.
const webhooksPage = createRoute({
  getParentRoute: () => rootRoute,
  id: 'webhooks-page',
  validateSearch: texts(
    ...([
      'status',
      'event',
      'key',
      'endpoint',
      'message',
      'q',
      'range',
      'from',
      'to',
      'tab',
    ] as const),
  ),
  component: page(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
});

const webhooks = createRoute({ getParentRoute: () => webhooksPage, path: '/webhooks' });

const delivery = createRoute({ getParentRoute: () => webhooksPage, path: '/webhooks/$deliveryId' });

const templatesPage = createRoute({
  getParentRoute: () => rootRoute,
  id: 'templates-page',
  validateSearch: texts('q', 'status', 'mapped', 'key'),
  component: page(() => import('./templates/templates-page.tsx'), 'TemplatesPage'),
});

const templates = createRoute({ getParentRoute: () => templatesPage, path: '/templates' });

const template = createRoute({
  getParentRoute: () => templatesPage,
  path: '/templates/$templateId',
});

const alerts = createRoute({
  ...at('/alerts'),
  component: page(() => import('./alerts/alerts-page.tsx'), 'AlertsPage'),
});

const accounts = createRoute({
  ...at('/accounts'),
  component: page(() => import('./accounts/accounts-page.tsx'), 'AccountsPage'),
});

const newAccount = createRoute({
  ...at('/accounts/new'),
  component: page(() => import('./accounts/new-account-page.tsx'), 'NewAccountPage'),
});

const account = createRoute({
  ...at('/accounts/$accountId'),
  component: page(() => import('./accounts/account-page.tsx'), 'AccountPage'),
});

const users = createRoute({
  ...at('/users'),
  component: page(() => import('./users/users-page.tsx'), 'UsersPage'),
});

const ownAccount = createRoute({
  ...at('/me'),
  component: page(() => import('./session/own-account-page.tsx'), 'OwnAccountPage'),
});

// The shell shows its form, without a frame and without a session.
const reset = createRoute({ ...at('/reset'), component: () => null });

const auditLog = createRoute({
  ...at('/audit-log'),
  validateSearch: texts('q', 'user', 'action', 'subject', 'range', 'from', 'to'),
  component: page(() => import('./audit/audit-page.tsx'), 'AuditPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    overview,
    keys,
    newKey,
    key,
    editKey,
    messages,
    message,
    requests,
    contacts,
    contact,
    campaigns,
    campaign,
    newCampaign,
    campaignDraft,
    webhooksPage.addChildren([webhooks, delivery]),
    templatesPage.addChildren([templates, template]),
    alerts,
    accounts,
    newAccount,
    account,
    users,
    ownAccount,
    reset,
    auditLog,
    playground,
    sandbox,
  ]),
  basepath: '/dashboard',
  // Values are texts, without the quotes that the router else puts around digits.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
