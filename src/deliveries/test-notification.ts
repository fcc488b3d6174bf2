import { randomBytes } from 'node:crypto';
import type { Row } from '../database/statements/statement.js';
import type { findTestedAccount } from './endpoint-deliveries.statements.js';

/** A number that nobody has: 555-0100 is kept for fiction. */
const from = '15550100000';

/** The body of a notification in WhatsApp's own form, of a text from a fictional user. */
export function testNotification(account: Row<typeof findTestedAccount>, text: string): string {
  const timestamp = Math.floor(Date.now() / 1_000);
  const value = {
    messaging_product: 'whatsapp',
    metadata: {
      display_phone_number: account.display_phone_number.replaceAll(/\D/g, ''),
      phone_number_id: account.phone_number_id,
    },
    contacts: [{ profile: { name: 'Parley' }, wa_id: from }],
    messages: [
      {
        from,
        id: `wamid.PARLEY_TEST_${randomBytes(16).toString('hex')}`,
        timestamp: String(timestamp),
        type: 'text',
        text: { body: text },
      },
    ],
  };
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: account.business_account_id,
        time: timestamp,
        changes: [{ field: 'messages', value }],
      },
    ],
  });
}
