import { AppError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/catalogue.js';
import type { ErrorForm } from '../http/app-error.filter.js';
import type { Request } from '../http/request.js';

/** The addresses of routes in the form of WhatsApp's own API, and of what is not offered among them. */
export const graphAddresses = /^\/graph(?:[/?]|$)/;

/** An error as WhatsApp's own API says it: https://developers.facebook.com/docs/graph-api/guides/error-handling */
export interface GraphRefusal {
  /** HTTP status. */
  readonly status: number;
  readonly code: number;
  readonly subcode?: number | null;
  /** Default: OAuthException. */
  readonly type?: string | null;
  /** Default: the error's own message. */
  readonly message?: string;
  /** `error_data.details`; null: none. */
  readonly details?: string | null;
  readonly isTransient?: boolean | null;
  /** Default: the id of the request. */
  readonly trace?: string | null;
}

/** An error with exact words for those who speak WhatsApp's own API. */
export class GraphError extends AppError {
  constructor(
    code: ErrorCode,
    readonly refusal: GraphRefusal,
    options: ConstructorParameters<typeof AppError>[1] = {},
  ) {
    super(code, { status: refusal.status, ...options });
  }
}

const unauthenticated = { status: 401, code: 190 };
const forbidden = { status: 403, code: 10 };
const tooMany = { status: 429, code: 80007, isTransient: true };
const invalid = { status: 400, code: 100 };
const notThere = { status: 400, code: 100, subcode: 33, type: 'GraphMethodException' };

/** What each of our codes is at WhatsApp; the others are `invalid` below HTTP 500. */
const refusals: Readonly<Partial<Record<ErrorCode, GraphRefusal>>> = {
  INVALID_API_KEY: unauthenticated,
  EXPIRED_API_KEY: unauthenticated,
  REVOKED_API_KEY: unauthenticated,
  SUSPENDED_API_KEY: unauthenticated,
  IP_NOT_ALLOWED: forbidden,
  INVALID_SIGNATURE: forbidden,
  TIMESTAMP_EXPIRED: forbidden,
  PERMISSION_DENIED: forbidden,
  ACCOUNT_NOT_ACTIVE: forbidden,
  RATE_LIMIT_EXCEEDED: tooMany,
  DAILY_LIMIT_EXCEEDED: tooMany,
  NOT_FOUND: notThere,
  MESSAGE_NOT_FOUND: notThere,
  TEMPLATE_NOT_FOUND: { status: 404, code: 132001 },
  RECIPIENT_OPTED_OUT: { status: 400, code: 131050 },
  RECIPIENT_NOT_SUPPORTED: { status: 400, code: 131062 },
  MEDIA_EXPIRED: { status: 400, code: 131053 },
  SERVICE_UNAVAILABLE: { status: 503, code: 131016, isTransient: true },
  INTERNAL_ERROR: { status: 500, code: 1 },
};

/** What the door does not offer: another route, another method, another version. */
export const notOffered = () =>
  new GraphError('NOT_FOUND', {
    ...invalid,
    message: 'Unsupported request: not offered by Parley',
    details: 'NOT_FOUND: not offered by Parley; docs/graph.md names what is.',
  });

/** How errors of these addresses are said. */
export const graphErrors: ErrorForm = { addresses: graphAddresses, formOf: graphErrorOf };

/** An error in the form of WhatsApp's own API. */
function graphErrorOf(
  request: Request,
  error: AppError,
): { status: number; body: { error: object } } {
  const said = refusalOf(request, error);
  const details = said.details === undefined ? `${error.code}: ${error.message}` : said.details;
  return {
    status: said.status,
    body: {
      error: {
        message: said.message ?? `(#${said.code}) ${error.message}`,
        type: said.type ?? 'OAuthException',
        code: said.code,
        ...(typeof said.subcode === 'number' && { error_subcode: said.subcode }),
        ...(typeof said.isTransient === 'boolean' && { is_transient: said.isTransient }),
        ...(details !== null && { error_data: { messaging_product: 'whatsapp', details } }),
        fbtrace_id: said.trace ?? request.id,
      },
    },
  };
}

function refusalOf(request: Request, error: AppError): GraphRefusal {
  if (error instanceof GraphError) return error.refusal;
  if (request.is404) return notOffered().refusal;
  return refusals[error.code] ?? (error.status >= 500 ? { status: 500, code: 1 } : invalid);
}
