import { IsPin } from '../account-rules.js';

/** What an account needs before it can send and hear, in the order in which it is set up. */
export const checklistIds = [
  'token',
  'number',
  'callback',
  'subscription',
  'webhook',
  'payment',
  'graph_version',
  'test_message',
] as const;

/** One thing that an account needs. */
export class ChecklistItemDto {
  id: (typeof checklistIds)[number];
  /** `missing`: still to do; `failed`: there, and wrong; `unknown`: WhatsApp cannot be asked, or does not say. */
  state: 'done' | 'missing' | 'failed' | 'unknown';
  /** What holds, or what is wrong and what to do about it. */
  detail: string;
  /** ISO 8601. */
  checked_at: Date;
}

/** What an account needs, as of now, with what Meta asks for when you set up its webhook. */
export class ChecklistDto {
  items: ChecklistItemDto[];
  /** The address for the webhooks of this account. */
  callback_url: string;
  /** `PLATFORM_VERIFY_TOKEN`; null if the installation has none. */
  verify_token: string | null;
}

/** How a number is registered for the Cloud API. */
export class RegistrationDto {
  /** Six digits: those of the number's two-step verification, or new ones where it has none. Never stored. */
  @IsPin()
  pin: string;
}
