import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { Frame } from './frame/frame.tsx';
import { NoSuchPage } from './frame/no-such-page.tsx';
import { KeyPage } from './keys/key-page.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { MessagePage } from './messages/message-page.tsx';
import { MessagesPage } from './messages/messages-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';

const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NoSuchPage });

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
  component: lazyRouteComponent(() => import('./keys/new-key-page.tsx'), 'NewKeyPage'),
});

const key = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys/$keyId',
  component: KeyPage,
});

const editKey = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys/$keyId/edit',
  component: lazyRouteComponent(() => import('./keys/edit-key-page.tsx'), 'EditKeyPage'),
});

const messages = createRoute({
  getParentRoute: () => rootRoute,
  path: '/messages',
  validateSearch: texts('q', 'status', 'key', 'type'),
  component: MessagesPage,
});

const message = createRoute({
  getParentRoute: () => rootRoute,
  path: '/messages/$messageId',
  component: MessagePage,
});

const playground = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playground',
  validateSearch: texts('type'),
  component: lazyRouteComponent(() => import('./playground/playground-page.tsx'), 'PlaygroundPage'),
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
    playground,
  ]),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
