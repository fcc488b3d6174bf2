import type { EntityManager } from 'typeorm';

/** Switches the webhook of a key off. Answers the key, or null where it is off already or gone. */
export async function switchWebhookOff(
  manager: EntityManager,
  apiKeyId: string,
  reason: string,
): Promise<{ accountId: string; name: string } | null> {
  const [rows]: [{ accountId: string; name: string }[], number] = await manager.query(
    `update api_keys set webhook_disabled_at = now(), webhook_disabled_reason = $2
     where id = $1 and webhook_disabled_at is null returning account_id as "accountId", name`,
    [apiKeyId, reason],
  );
  return rows[0] ?? null;
}
