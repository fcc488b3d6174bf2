import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import type { Permission } from './permissions.js';
import { ReadsTakeTheDay } from './reads-take-the-day.js';
import type { Role } from './signed-in-user.js';

/** How a route is guarded. Every route has exactly one of these; the process does not start otherwise. */
export type RouteAccess =
  | {
      /** Null: the route itself looks which permission it needs. */
      readonly permission: Permission | null;
      /** Another one that it needs as well. */
      readonly also?: Permission;
      readonly isBeyondDay?: true;
      readonly isFeed?: true;
      readonly isGraph?: true;
    }
  | { readonly role: Role | 'anybody'; readonly isBeforeSecondFactor?: true }
  | { readonly isPublic: true };

export const routeAccessKey = 'route-access';

/** The rule of a route for API keys. */
export type KeyRouteAccess = Extract<RouteAccess, { permission: unknown }>;

/** All permissions that a route needs, or null where it looks itself. */
export const permissionsOf = ({ permission, also }: KeyRouteAccess): Permission[] | null =>
  permission && [permission, ...(also ? [also] : [])];

/**
 * The route needs an API key with this permission, and with `also` where that is given. It takes its unit of the day
 * when its answer is known; a send takes it with the statement that stores its message.
 */
export const RequirePermission = (permission: Permission, also?: Permission) => {
  const access = SetMetadata<string, RouteAccess>(routeAccessKey, {
    permission,
    ...(also && { also }),
  });
  const isSend = permission.startsWith('send_');
  return isSend ? access : applyDecorators(access, UseInterceptors(ReadsTakeTheDay));
};

/**
 * The same for a route that takes a unit of the minute alone, also on a day that is used up.
 * @param permission null: any key may call it, and the route looks which permission it needs.
 */
export const RequirePermissionBeyondDay = (permission: Permission | null) =>
  SetMetadata<string, RouteAccess>(routeAccessKey, { permission, isBeyondDay: true });

/** The same for the feed of events, whose reads have a limit of their own and take nothing of the minute and the day. */
export const RequirePermissionForFeed = (permission: Permission) =>
  SetMetadata<string, RouteAccess>(routeAccessKey, { permission, isFeed: true });

/**
 * The route speaks as WhatsApp's own API does: the key comes as its token, and needs `graph_access`. Which permission it
 * needs, the route looks itself.
 */
export const RequireGraphAccess = () =>
  SetMetadata<string, RouteAccess>(routeAccessKey, { permission: null, isGraph: true });

/**
 * The route is the dashboard's: the request comes from our own page and from a signed-in user. `checkRole` says who may
 * call it: viewers may read what administrators may, but change only where the route says `viewer`. `anybody` is for
 * signing in.
 */
export const RequireRole = (role: Role | 'anybody') =>
  SetMetadata<string, RouteAccess>(routeAccessKey, { role });

/** The same for a route that users without a second factor may call where the installation requires one. */
export const RequireRoleBeforeSecondFactor = (role: Role) =>
  SetMetadata<string, RouteAccess>(routeAccessKey, { role, isBeforeSecondFactor: true });

/** The route is open to anybody: health, the platform's webhook (which checks a signature of its own). */
export const Public = () => SetMetadata<string, RouteAccess>(routeAccessKey, { isPublic: true });
