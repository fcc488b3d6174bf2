import { toInteger, toList, toObject, toText } from './json.js';
import { PlatformRequestError, type ReadTarget, requestJson } from './reads.js';
import { redact } from './redaction.js';

/** What the platform says of an access token. */
export interface AccessTokenFacts {
  isValid: boolean;
  /** Its permissions, as `whatsapp_business_messaging`. */
  scopes: string[];
  /** Null: it does not expire. */
  expiresAt: Date | null;
  /** Why it is not valid, in the platform's words; null where it does not say. */
  problem: string | null;
}

/** The last second that a `Date` can hold. */
const lastSecond = 8.64e12;

/** Asks for the facts of a token with the token itself. See `WhatsAppClient.inspectToken`. */
export async function inspectToken(
  target: ReadTarget,
  accessToken: string,
): Promise<AccessTokenFacts> {
  const path = `${target.basePath}/debug_token?input_token=${encodeURIComponent(accessToken)}`;
  const answer = await requestJson(target, accessToken, { path });
  const data = toObject(answer.data);
  if (typeof data.is_valid !== 'boolean') {
    throw new PlatformRequestError('unreadable', 'the answer does not say whether it is valid');
  }
  const expiresAt = toInteger(data.expires_at) ?? 0;
  const problem = toText(toObject(data.error).message);
  return {
    isValid: data.is_valid,
    scopes: toList(data.scopes).filter((scope) => typeof scope === 'string'),
    expiresAt: expiresAt > 0 && expiresAt <= lastSecond ? new Date(expiresAt * 1000) : null,
    problem: problem && redact(problem, accessToken),
  };
}
