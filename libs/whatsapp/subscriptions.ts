import { toList, toObject, toText } from './json.js';
import { type ReadTarget, requestJson, requestSuccess } from './reads.js';
import type { BusinessAccount } from './templates.js';

/** The names of the apps that the account's notifications go to. See `WhatsAppClient.listSubscribedApps`. */
export async function listSubscribedApps(
  target: ReadTarget,
  account: BusinessAccount,
): Promise<string[]> {
  const id = encodeURIComponent(account.businessAccountId);
  const path = `${target.basePath}/${id}/subscribed_apps`;
  const { data } = await requestJson(target, account.accessToken, { path });
  return toList(data)
    .map((entry) => toObject(toObject(entry).whatsapp_business_api_data))
    .map(({ name, id: appId }) => toText(name) ?? toText(appId) ?? 'an app');
}

/** Has the account's notifications sent to the token's app. See `WhatsAppClient.subscribeApp`. */
export async function subscribeApp(target: ReadTarget, account: BusinessAccount): Promise<void> {
  const id = encodeURIComponent(account.businessAccountId);
  const path = `${target.basePath}/${id}/subscribed_apps`;
  await requestSuccess(target, account.accessToken, { path, body: '{}' });
}
