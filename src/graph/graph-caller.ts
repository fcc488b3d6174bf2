import type { Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { AppError } from '../errors/app-error.js';

/** @throws AppError PERMISSION_DENIED */
export function requirePermission({ permissions }: Principal, permission: Permission): void {
  if (permissions.has(permission)) return;
  throw new AppError('PERMISSION_DENIED', {
    message: `The API key lacks the permission ${permission}.`,
    details: { permission },
  });
}
