import { toId, toList, toObject, toText } from './json.js';
import { PlatformRequestError, type ReadTarget, requestJson, requestSuccess } from './reads.js';
import type { Sender } from './sender.js';

/** `AVAILABLE`, `LIMITED` or `BLOCKED`; null when the platform does not say. */
export type CanSendMessage = string | null;

/** One of the things a message passes through: `PHONE_NUMBER`, `WABA`, `BUSINESS`, `APP`, `MESSAGE_TEMPLATE`. */
export interface HealthEntity {
  entityType: string | null;
  id: string | null;
  canSendMessage: CanSendMessage;
  errors: { code: string | null; description: string | null; possibleSolution: string | null }[];
}

/** A business phone number as the platform sees it. Null where the platform says nothing. */
export interface PhoneNumber {
  id: string;
  displayPhoneNumber: string | null;
  verifiedName: string | null;
  /** `CONNECTED`, `PENDING`, `FLAGGED`, `RESTRICTED` … */
  status: string | null;
  nameStatus: string | null;
  /** `GREEN`, `YELLOW`, `RED`, `UNKNOWN`, `NA`. */
  qualityRating: string | null;
  /** `STANDARD`, `HIGH`, `NOT_APPLICABLE`. */
  throughputLevel: string | null;
  /** `TIER_250` … `TIER_UNLIMITED`, of the whole portfolio. */
  messagingLimit: string | null;
  canSendMessage: CanSendMessage;
  health: HealthEntity[];
}

/** The outcome of a probe: the number, or why it cannot be read. */
export type PhoneNumberResult =
  | { ok: true; phoneNumber: PhoneNumber }
  | { ok: false; error: PlatformRequestError };

const askedFields = [
  'id',
  'display_phone_number',
  'verified_name',
  'status',
  'name_status',
  'quality_rating',
  'throughput',
  'whatsapp_business_manager_messaging_limit',
  'health_status',
].join(',');

/** Reads the sender's number and its health. See `WhatsAppClient.getPhoneNumber`. */
export async function getPhoneNumber(
  target: ReadTarget,
  sender: Sender,
  options: { signal?: AbortSignal } = {},
): Promise<PhoneNumberResult> {
  const path = `${target.basePath}/${encodeURIComponent(sender.phoneNumberId)}?fields=${askedFields}`;
  try {
    const fields = await requestJson(target, sender.accessToken, { path, signal: options.signal });
    const health = toObject(fields.health_status);
    const phoneNumber: PhoneNumber = {
      id: toId(fields.id) ?? sender.phoneNumberId,
      displayPhoneNumber: toText(fields.display_phone_number),
      verifiedName: toText(fields.verified_name),
      status: toText(fields.status),
      nameStatus: toText(fields.name_status),
      qualityRating: toText(fields.quality_rating) ?? toText(toObject(fields.quality_score).score),
      throughputLevel: toText(toObject(fields.throughput).level),
      messagingLimit:
        toText(fields.whatsapp_business_manager_messaging_limit) ??
        toText(fields.messaging_limit_tier),
      canSendMessage: toText(health.can_send_message),
      health: toList(health.entities).map(toHealthEntity),
    };
    return { ok: true, phoneNumber };
  } catch (error) {
    if (error instanceof PlatformRequestError) {
      return { ok: false, error };
    }
    throw error;
  }
}

/** What programs may ask of a number, as the platform documents it. */
const describedFields = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'platform_type',
  'throughput',
  'status',
  'name_status',
  'account_mode',
  'id',
].join(',');

/** The sender's number in the platform's own form. See `WhatsAppClient.describePhoneNumber`. */
export async function describePhoneNumber(
  target: ReadTarget,
  sender: Sender,
): Promise<{ readonly id: string }> {
  const path = `${target.basePath}/${encodeURIComponent(sender.phoneNumberId)}?fields=${describedFields}`;
  return { id: sender.phoneNumberId, ...(await requestJson(target, sender.accessToken, { path })) };
}

/** Registers the sender's number for the Cloud API. See `WhatsAppClient.registerNumber`. */
export async function registerNumber(
  target: ReadTarget,
  { phoneNumberId, accessToken }: Sender,
  pin: string,
): Promise<void> {
  await requestSuccess(target, accessToken, {
    path: `${target.basePath}/${encodeURIComponent(phoneNumberId)}/register`,
    body: JSON.stringify({ messaging_product: 'whatsapp', pin }),
  });
}

function toHealthEntity(value: unknown): HealthEntity {
  const fields = toObject(value);
  return {
    entityType: toText(fields.entity_type),
    id: toId(fields.id),
    canSendMessage: toText(fields.can_send_message),
    errors: toList(fields.errors)
      .map(toObject)
      .map((error) => ({
        code: toId(error.error_code),
        description: toText(error.error_description),
        possibleSolution: toText(error.possible_solution),
      })),
  };
}
