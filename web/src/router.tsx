import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { KeyPage } from './keys/key-page.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { MessagePage } from './messages/message-page.tsx';
import { MessagesPage } from './messages/messages-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { part } from './parts/missing-part.ts';
import { NoSuchPage } from './shell/no-such-page.tsx';
import { PageFailure } from './shell/page-failure.tsx';
import { Shell } from './shell/shell.tsx';

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NoSuchPage });

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

const overview = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: OverviewPage,
});

const keys = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: texts('q', 'state', 'mode'),
  component: KeysPage,
});

const newKey = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys/new',
  component: lazyRouteComponent(
    part(() => import('./keys/new-key-page.tsx')),
    'NewKeyPage',
  ),
});

const key = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys/$keyId',
  component: KeyPage,
});

const editKey = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys/$keyId/edit',
  component: lazyRouteComponent(
    part(() => import('./keys/edit-key-page.tsx')),
    'EditKeyPage',
  ),
});

const messages = createRoute({
  getParentRoute: () => rootRoute,
  path: '/messages',
  validateSearch: texts('q', 'status', 'key', 'type', 'accepted'),
  component: MessagesPage,
});

const message = createRoute({
  getParentRoute: () => rootRoute,
  path: '/messages/$messageId',
  validateSearch: texts('tab'),
  component: MessagePage,
});

const playground = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playground',
  validateSearch: texts('type', 'key', 'message'),
  component: lazyRouteComponent(
    part(() => import('./playground/playground-page.tsx')),
    'PlaygroundPage',
  ),
});

const sandbox = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sandbox',
  validateSearch: texts('phone', 'q'),
  component: lazyRouteComponent(
    part(() => import('./sandbox/sandbox-page.tsx')),
    'SandboxPage',
  ),
});

// The list and one thing of it are one page: it stays while the detail next to the list changes.
const webhooksPage = createRoute({
  getParentRoute: () => rootRoute,
  id: 'webhooks-page',
  validateSearch: texts('status', 'event', 'key', 'message', 'tab'),
  component: lazyRouteComponent(
    part(() => import('./deliveries/deliveries-page.tsx')),
    'DeliveriesPage',
  ),
});

const webhooks = createRoute({
  getParentRoute: () => webhooksPage,
  path: '/webhooks',
});

const delivery = createRoute({
  getParentRoute: () => webhooksPage,
  path: '/webhooks/$deliveryId',
});

const templatesPage = createRoute({
  getParentRoute: () => rootRoute,
  id: 'templates-page',
  validateSearch: texts('q', 'status', 'mode', 'key'),
  component: lazyRouteComponent(
    part(() => import('./templates/templates-page.tsx')),
    'TemplatesPage',
  ),
});

const templates = createRoute({
  getParentRoute: () => templatesPage,
  path: '/templates',
});

const template = createRoute({
  getParentRoute: () => templatesPage,
  path: '/templates/$templateId',
});

const alerts = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts',
  validateSearch: texts('state'),
  component: lazyRouteComponent(
    part(() => import('./alerts/alerts-page.tsx')),
    'AlertsPage',
  ),
});

const accounts = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts',
  component: lazyRouteComponent(
    part(() => import('./accounts/accounts-page.tsx')),
    'AccountsPage',
  ),
});

const newAccount = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/new',
  component: lazyRouteComponent(
    part(() => import('./accounts/new-account-page.tsx')),
    'NewAccountPage',
  ),
});

const account = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$accountId',
  component: lazyRouteComponent(
    part(() => import('./accounts/account-page.tsx')),
    'AccountPage',
  ),
});

const users = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users',
  component: lazyRouteComponent(
    part(() => import('./users/users-page.tsx')),
    'UsersPage',
  ),
});

const auditLog = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit-log',
  validateSearch: texts('account', 'user', 'action', 'subject'),
  component: lazyRouteComponent(
    part(() => import('./audit/audit-page.tsx')),
    'AuditPage',
  ),
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
    webhooksPage.addChildren([webhooks, delivery]),
    templatesPage.addChildren([templates, template]),
    alerts,
    accounts,
    newAccount,
    account,
    users,
    auditLog,
    playground,
    sandbox,
  ]),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
