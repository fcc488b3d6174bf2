import {
  type AccessTokenFacts,
  errorTextOf,
  graphVersionOf,
  graphVersionText,
  type PhoneNumberResult,
  type PlatformError,
  type PlatformRequestError,
} from '#libs/whatsapp';
import { type Answer, isTokenRefusal } from '../../platform/platform-answer.js';
import { minuteText } from '../health/health-facts.js';
import type { ChecklistItemDto } from './checklist.dto.js';

/** The outcome of one check. */
export type Judged = Pick<ChecklistItemDto, 'state' | 'detail'>;

/** What Parley itself knows of an account's webhooks. */
export interface WebhookFacts {
  /** When the platform last verified the callback URL. */
  readonly confirmedAt: Date | null;
  /** When the first and the last webhook for the account arrived. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
}

const neededScopes = ['whatsapp_business_messaging', 'whatsapp_business_management'];

/** States of a number before it is registered, or after it no longer is. */
const unregistered: ReadonlySet<string> = new Set([
  'PENDING',
  'UNVERIFIED',
  'DISCONNECTED',
  'OFFLINE',
]);

export function judgeToken(answer: Answer<AccessTokenFacts>): Judged {
  if (!answer.ok) {
    return notAnswered(answer.error, isTokenRefusal(answer.error));
  }
  const { isValid, scopes, expiresAt, problem } = answer.value;
  if (!isValid) {
    const reason = problem ? `: ${withoutStop(problem)}` : '';
    return {
      state: 'failed',
      detail: `WhatsApp does not accept the access token${reason}. Enter a new one.`,
    };
  }
  const lacking = neededScopes.filter((scope) => !scopes.includes(scope));
  if (lacking.length > 0) {
    return {
      state: 'failed',
      detail: `The access token lacks ${lacking.join(' and ')}. Make one with both permissions, and enter it.`,
    };
  }
  const end = expiresAt ? `Expires at ${minuteText(expiresAt)}.` : 'Does not expire.';
  return { state: 'done', detail: `Permissions: ${neededScopes.join(', ')}. ${end}` };
}

export function judgeNumber(result: PhoneNumberResult, shownNumber: string): Judged {
  if (!result.ok) return notAnswered(result.error, isUnknownObject(result.error.error));
  const { status, displayPhoneNumber } = result.phoneNumber;
  const number = displayPhoneNumber ?? shownNumber;
  if (status === 'CONNECTED') {
    return { state: 'done', detail: `${number} is registered for the Cloud API.` };
  }
  if (status === null) {
    return { state: 'unknown', detail: `WhatsApp does not say whether ${number} is registered.` };
  }
  if (unregistered.has(status)) {
    return {
      state: 'missing',
      detail: `${number} is not registered for the Cloud API (${status}). Register it with a six-digit PIN.`,
    };
  }
  return {
    state: 'failed',
    detail: `WhatsApp reports that ${number} is ${status}. Look into WhatsApp Manager for the reason.`,
  };
}

export function judgeCallback(
  { confirmedAt, lastAt }: WebhookFacts,
  hasVerifyToken: boolean,
): Judged {
  if (confirmedAt) {
    return {
      state: 'done',
      detail: `Meta called the callback URL and got the right answer at ${minuteText(confirmedAt)}.`,
    };
  }
  if (lastAt) {
    return {
      state: 'done',
      detail: `Signed webhooks for this account arrive, the last at ${minuteText(lastAt)}.`,
    };
  }
  const setToken = hasVerifyToken ? '' : 'Start the API with PLATFORM_VERIFY_TOKEN. Then ';
  const enter = hasVerifyToken ? 'Enter' : 'enter';
  return {
    state: 'missing',
    detail: `${setToken}${enter} the callback URL and the verify token at Meta, under WhatsApp › Configuration.`,
  };
}

export function judgeSubscription(answer: Answer<string[]>, businessAccountId: string): Judged {
  if (!answer.ok) return notAnswered(answer.error, isUnknownObject(answer.error.error));
  if (answer.value.length > 0) {
    return { state: 'done', detail: `Webhooks go to ${answer.value.join(', ')}.` };
  }
  return {
    state: 'missing',
    detail: `No app is subscribed to business account ${businessAccountId}, so Meta sends no webhooks. Subscribe the app.`,
  };
}

export function judgeWebhook({ firstAt, lastAt }: WebhookFacts): Judged {
  if (firstAt && lastAt) {
    return {
      state: 'done',
      detail: `The first arrived at ${minuteText(firstAt)}, the last at ${minuteText(lastAt)}.`,
    };
  }
  return {
    state: 'missing',
    detail: 'None has arrived yet. Subscribe the app, and write to the number from your phone.',
  };
}

export function judgePayment(answer: Answer<string | null>): Judged {
  if (!answer.ok) return notAnswered(answer.error, false);
  if (answer.value !== null) return { state: 'done', detail: 'Meta has a payment method.' };
  return {
    state: 'missing',
    detail:
      'Meta has no payment method. Add one in WhatsApp Manager: without it, templates fail with 131042.',
  };
}

/** An expired version is served all the same, by a newer one. */
export function judgeGraphVersion(baseUrl: string, now: Date): Judged {
  const version = graphVersionOf(baseUrl, now);
  return {
    state: version.state === 'unknown' ? 'unknown' : 'done',
    detail: graphVersionText(version, now),
  };
}

export function judgeTestMessage(acceptedAt: Date | null): Judged {
  if (acceptedAt) {
    return {
      state: 'done',
      detail: `WhatsApp accepted a live message, the newest at ${minuteText(acceptedAt)}.`,
    };
  }
  return {
    state: 'missing',
    detail: 'WhatsApp has accepted no live message yet. Send one to your own phone.',
  };
}

/** A question without an answer. A refusal that is itself the answer fails the check. */
function notAnswered({ error, message }: PlatformRequestError, isVerdict: boolean): Judged {
  if (!error) return { state: 'unknown', detail: `WhatsApp cannot be asked: ${message}.` };
  const advice = errorTextOf(error.code, error.subcode)?.advice;
  const refusal = `WhatsApp answers ${error.code}: ${withoutStop(error.message)}.`;
  return {
    state: isVerdict ? 'failed' : 'unknown',
    detail: advice ? `${refusal} ${advice}` : refusal,
  };
}

/** Whether the platform has no such object, or none that the token may see. */
function isUnknownObject(error: PlatformError | null): boolean {
  return error?.code === 100 && error.subcode === 33;
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}
