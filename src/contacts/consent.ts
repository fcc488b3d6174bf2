import type { ContactScope } from './contact.js';

/** Marketing templates, or every template except one-time codes. */
export const consentScopes = ['marketing', 'all'] as const;

export type ConsentScope = (typeof consentScopes)[number];

export const consentStates = ['opted_in', 'opted_out'] as const;

export type ConsentState = (typeof consentStates)[number];

/** What a contact, or somebody for it, said about messages. */
export interface Consent {
  readonly scope: ConsentScope;
  readonly state: ConsentState;
  /** Where it comes from, such as `api` or `keyword`. */
  readonly source: string;
  readonly evidence: string | null;
  /** When it was said; null: now, by the database's clock. */
  readonly at: Date | null;
}

/** The consent of one contact. */
export interface ContactConsent extends ContactScope, Consent {
  readonly contactId: string;
}

/** Whether what was said replaces what was said before: it is of the same second or a later one. */
export function replaces(said: Date, before: Date): boolean {
  return secondOf(said) >= secondOf(before);
}

/** WhatsApp's times are in whole seconds. */
function secondOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
