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
  readonly body: { data: T; meta: { request_id: string; warnings?: string[] } };
  readonly status: number;
}

interface FailureBody {
  error?: { code?: string; message?: string; details?: { fields?: Record<string, string> } };
  meta?: { request_id?: string };
}

const root = '/api/v1/dashboard';

/** Calls the dashboard's REST. @throws ApiFailure */
export async function call<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(`${root}${path}`, {
      method,
      ...(body && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
  } catch {
    throw new ApiFailure('UNREACHABLE', 'Parley does not answer.', 0, null, {}, null);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) {
    return {
      data: (answer as Answer<T>['body']).data,
      body: answer as Answer<T>['body'],
      status: response.status,
    };
  }
  const { error, meta } = (answer ?? {}) as FailureBody;
  throw new ApiFailure(
    error?.code ?? 'NO_ANSWER',
    error?.message ?? 'Parley’s answer could not be read.',
    response.status,
    meta?.request_id ?? response.headers.get('x-request-id'),
    error?.details?.fields ?? {},
    answer,
  );
}

/** Reads. */
export const get = async <T>(path: string): Promise<T> => (await call<T>('GET', path)).data;

/** The path with those parameters that have a value. */
export function withQuery(
  path: string,
  parameters: Record<string, string | number | null | undefined>,
) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
