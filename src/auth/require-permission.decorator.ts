import { SetMetadata } from '@nestjs/common';
import type { Permission } from '../api-keys/api-key.entity.js';

/** How a route is guarded. Every route has exactly one of these; the process does not start otherwise. */
export type RouteAccess = { readonly permission: Permission } | { readonly isPublic: true };

export const routeAccessKey = 'route-access';

/** The route needs an API key with this permission. */
export const RequirePermission = (permission: Permission) =>
  SetMetadata<string, RouteAccess>(routeAccessKey, { permission });

/** The route is open to anybody: health, the platform's webhook (which checks a signature of its own). */
export const Public = () => SetMetadata<string, RouteAccess>(routeAccessKey, { isPublic: true });
