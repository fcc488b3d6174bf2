import { ControlError, objectWith } from './control-request.js';
import { authorizationError, PlatformError } from './errors.js';

/** What the platform knows of an access token. */
interface TokenFacts {
  scopes: string[];
  /** Unix seconds; 0: never. */
  expires_at: number;
}

const management = 'whatsapp_business_management';
const byDefault: TokenFacts = {
  scopes: [management, 'whatsapp_business_messaging'],
  expires_at: 0,
};

/** Edges that a token without the permission to manage does not reach. */
const managed: ReadonlySet<string> = new Set([
  'message_templates',
  'phone_numbers',
  'subscribed_apps',
  'register',
  'deregister',
]);

/** Access tokens whose permissions or end differ from the usual: both permissions, and no end. */
export class Tokens {
  private readonly known = new Map<string, TokenFacts>();

  constructor(private readonly now: () => number) {}

  /** Learns a token from a request's body; throws a `ControlError` that says what is wrong. */
  put(body: unknown): TokenFacts {
    const fields = objectWith(body, ['access_token', 'scopes', 'expires_at']);
    const { access_token: token, scopes = byDefault.scopes, expires_at = 0 } = fields;
    if (typeof token !== 'string' || token === '') {
      throw new ControlError('access_token must be a string');
    }
    if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string')) {
      throw new ControlError('scopes must be a list of strings');
    }
    if (typeof expires_at !== 'number' || !Number.isInteger(expires_at) || expires_at < 0) {
      throw new ControlError('expires_at must be in unix seconds, or 0');
    }
    const facts = { scopes, expires_at };
    this.known.set(token, facts);
    return facts;
  }

  /** The refusal of a request for the edge of an object, or null. */
  refusal(authorization: string | undefined, edge: string | undefined): PlatformError | null {
    const denied = authorizationError(authorization);
    if (denied !== null) return denied;
    const token = tokenOf(authorization);
    if (this.isOver(token)) return authorizationError('Bearer expired');
    return edge !== undefined && managed.has(edge) ? this.managementRefusal(authorization) : null;
  }

  /** The refusal of a token that may not manage, or null. */
  managementRefusal(authorization: string | undefined): PlatformError | null {
    if (this.factsOf(tokenOf(authorization)).scopes.includes(management)) return null;
    return new PlatformError(200, {
      message: '(#200) You do not have the necessary permissions for this business account',
    });
  }

  /** What `debug_token` says of a token. */
  describe(token: string): unknown {
    const refusal = authorizationError(`Bearer ${this.isOver(token) ? 'expired' : token}`);
    const { scopes, expires_at } = this.factsOf(token);
    return {
      data: {
        app_id: '300000000000001',
        type: 'SYSTEM_USER',
        application: 'Simulated App',
        expires_at,
        is_valid: refusal === null,
        scopes: refusal === null ? scopes : [],
        ...(refusal === null ? {} : { error: { code: refusal.code, message: refusal.message } }),
      },
    };
  }

  private factsOf(token: string): TokenFacts {
    return this.known.get(token) ?? byDefault;
  }

  private isOver(token: string): boolean {
    const { expires_at: end } = this.factsOf(token);
    return end > 0 && end * 1000 <= this.now();
  }
}

const tokenOf = (authorization = ''): string => authorization.replace(/^Bearer /, '').trim();
