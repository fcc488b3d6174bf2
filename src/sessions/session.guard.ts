import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type RouteAccess, routeAccessKey } from '../access/require-permission.decorator.js';
import { checkRole } from '../access/signed-in-user.js';
import { Config } from '../config/config.js';
import { AppError } from '../errors/app-error.js';
import { FairShares } from '../http/fair-shares.js';
import { ownOrigin, type Reply, type Request } from '../http/request.js';
import { Sessions } from '../users/sessions.js';
import { SessionCookies } from './session-cookies.js';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Requests of the dashboard at once in this process; each may hold a connection of the database. */
const dashboardShares = {
  own: 2,
  free: 4,
  waitMs: 5_000,
  waitingMax: 200,
  reason: 'too_many_requests',
  message: 'Too many requests of yours are being answered; try again.',
};

/**
 * Lets in who is signed in to the dashboard. The order of its checks: the request comes from our own
 * page → there is a session → its user has the second factor that the installation requires → the role →
 * and there is room for another request of the user.
 * It leaves alone what is not the dashboard's.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  private readonly shares = new FairShares(dashboardShares);

  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    private readonly cookies: SessionCookies,
    private readonly config: Config,
  ) {}

  /** @throws AppError FORBIDDEN, UNAUTHENTICATED, TOTP_SETUP_REQUIRED, SERVICE_UNAVAILABLE */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(routeAccessKey, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!access || !('role' in access)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    http.getResponse<Reply>().header('cache-control', 'no-store');
    const isRead = safeMethods.has(request.method);
    if (!isRead && !this.isOwnOrigin(request)) {
      throw new AppError('FORBIDDEN', {
        message:
          'The request comes from another origin than this dashboard. Behind a proxy, set PUBLIC_URL to the address in the browser.',
      });
    }
    if (access.role === 'anybody') return true;
    await this.signIn(request);
    const mustSetUp = this.config.requireTotp && request.user?.hasSecondFactor === false;
    if (mustSetUp && !access.isBeforeSecondFactor) throw new AppError('TOTP_SETUP_REQUIRED');
    if (request.user) {
      checkRole(request.user.role, access.role, isRead);
      await this.shares.take(request.user.id, http.getResponse<Reply>());
    }
    return true;
  }

  /** Browsers send `Origin` with every unsafe request; scripts send none and are no danger to a cookie. */
  private isOwnOrigin(request: Request): boolean {
    const { origin } = request.headers;
    return origin === undefined || origin === ownOrigin(request, this.config.publicUrl);
  }

  private async signIn(request: Request): Promise<void> {
    const id = await this.cookies.read(request);
    const session = id && (await this.sessions.findSession(id));
    if (!session) throw new AppError('UNAUTHENTICATED');
    request.user = {
      id: session.userId,
      email: session.email,
      role: session.role,
      accountId: session.accountId,
      hasSecondFactor: session.hasSecondFactor,
      sessionDigest: session.digest,
      actor: { userId: session.userId, name: session.email, address: request.ip },
    };
  }
}
