import { PlatformRequestError } from '#libs/whatsapp';

/** The platform's answer to a question, or why there is none. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: PlatformRequestError };

/** Codes by which the platform does not accept a token: https://developers.facebook.com/docs/graph-api/guides/error-handling */
const tokenCodes: ReadonlySet<number> = new Set([0, 102, 104, 190]);

/** Waits for an answer of the platform; throws what is no matter of the platform. */
export async function answerOf<T>(asking: Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await asking };
  } catch (error) {
    if (!(error instanceof PlatformRequestError)) throw error;
    return { ok: false, error };
  }
}

/** Whether the platform does not accept the token. */
export function isTokenRefusal({ error }: PlatformRequestError): boolean {
  return error !== null && tokenCodes.has(error.code);
}
