import { toId } from './json.js';
import { type ReadTarget, requestJson } from './reads.js';
import type { BusinessAccount } from './templates.js';

/** The id of the account's payment method, or null. See `WhatsAppClient.getFundingId`. */
export async function getFundingId(
  target: ReadTarget,
  account: BusinessAccount,
): Promise<string | null> {
  const id = encodeURIComponent(account.businessAccountId);
  const path = `${target.basePath}/${id}?fields=primary_funding_id`;
  const { primary_funding_id } = await requestJson(target, account.accessToken, { path });
  // Accounts without one are also answered with 0.
  const fundingId = toId(primary_funding_id);
  return fundingId === '0' ? null : fundingId;
}
