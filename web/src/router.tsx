import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { Frame } from './frame/frame.tsx';
import { NoSuchPage } from './frame/no-such-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';

const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NoSuchPage });

const overview = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: OverviewPage,
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([overview]),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
