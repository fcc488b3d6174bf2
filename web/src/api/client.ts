import { failureWords, sentence } from './failure-words.ts';
import type { Asked, Data, Given, Method, PathOf } from './operations.ts';

/** An answer that is a refusal, or no answer at all. */
export class ApiFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly requestId: string | null,
    /** Path of a field → what is wrong with it. */
    readonly fields: Readonly<Record<string, string>>,
    /** The raw answer, for those who want to read it. */
    readonly body: unknown,
  ) {
    super(message);
    this.name = 'ApiFailure';
  }
}

/** A success: its data, and the whole answer. */
export interface Answer<T> {
  readonly data: T;
  readonly body: {
    data: T;
    meta: {
      request_id: string;
      warnings?: string[];
      total?: number;
      total_is_exact?: boolean;
      kept_days?: number;
    };
  };
  readonly status: number;
}

interface FailureBody {
  error?: { code?: string; message?: string; details?: { fields?: Record<string, string> } };
  meta?: { request_id?: string };
}

const root = '/api/v1/dashboard';

/**
 * Calls the dashboard's REST.
 * @param given what the braces of the path stand for, and the query; then the body.
 * @throws ApiFailure
 */
export async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...others: Given<M, P>
): Promise<Answer<Data<M, P>>> {
  const [given, body] = others as [given?: object | null, body?: object];
  const response = await request(
    method,
    addressOf(path, given),
    body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  );
  if (!response.ok) throw await failureOf(response);
  const answer = (await response.json().catch(() => null)) as Answer<Data<M, P>>['body'];
  return { data: answer.data, body: answer, status: response.status };
}

/** Reads. */
export const get = async <P extends PathOf<'GET'>>(
  path: P,
  ...given: Given<'GET', P>
): Promise<Data<'GET', P>> => (await call('GET', path, ...given)).data;

async function request(method: string, path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(`${root}${path}`, { method, ...init });
  } catch {
    throw new ApiFailure('UNREACHABLE', 'Parley does not answer.', 0, null, {}, null);
  }
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const answer: unknown = await response.json().catch(() => null);
  const { error, meta } = (answer ?? {}) as FailureBody;
  const fields = error?.details?.fields ?? {};
  return new ApiFailure(
    error?.code ?? 'NO_ANSWER',
    failureWords(error?.message ?? 'Parley’s answer could not be read.', fields),
    response.status,
    meta?.request_id ?? response.headers.get('x-request-id'),
    Object.fromEntries(Object.entries(fields).map(([path, fault]) => [path, sentence(fault)])),
    answer,
  );
}

/** Saves a list as a file, under the name that the API gives it. @throws ApiFailure */
export async function download<P extends PathOf<'GET'>>(
  path: P,
  given: Asked<'GET', P>,
  accept: string,
): Promise<void> {
  const response = await request('GET', addressOf(path, given), { headers: { accept } });
  if (!response.ok) throw await failureOf(response);
  const link = document.createElement('a');
  link.download =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '';
  // A file that was cut off is an error, not a shorter file.
  const file = await response.blob().catch(() => {
    throw new ApiFailure('UNREACHABLE', 'Parley did not send the whole file.', 0, null, {}, null);
  });
  link.href = URL.createObjectURL(file);
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * A path with what its braces stand for; the rest that has a value is its query. Each value stays one part of the path,
 * whatever it is: ids of the page's address are whatever somebody wrote there.
 */
export function addressOf(path: string, given?: object | null): string {
  const rest = new Map(Object.entries(given ?? {}));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const part = String(rest.get(name));
    rest.delete(name);
    return encodedPart(part);
  });
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size > 0 ? `${filled}?${query.toString()}` : filled;
}

/** Browsers take `.` and `..` for steps, even encoded once; the API finds nothing under what is encoded twice. */
const encodedPart = (part: string) =>
  part === '.' || part === '..' ? part.replaceAll('.', '%252e') : encodeURIComponent(part);
