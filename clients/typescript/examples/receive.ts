// Receives webhooks: verifies them, forgets repetitions, and says what happened. Run it with
// PARLEY_WEBHOOK_SECRET and PORT.
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, type WebhookEvent, WebhookRefusedError } from 'parley-client';

const { PARLEY_WEBHOOK_SECRET = '', PORT = '4000' } = process.env;

// A real receiver keeps these in its database, for as long as repetitions come: four days.
const seen = new Set<string>();

createServer((request, response) => {
  void take(request).then((status) => response.writeHead(status).end());
}).listen(Number(PORT), '127.0.0.1');

/** Answer soon, with a 2xx once the event is safe: everything else is repeated. */
async function take(request: IncomingMessage): Promise<number> {
  try {
    const body = await buffer(request);
    const { id, event } = verifyWebhook(PARLEY_WEBHOOK_SECRET, request.headers, body);
    if (!seen.has(id)) process.stdout.write(`${describe(event)}\n`);
    seen.add(id);
    return 204;
  } catch (error) {
    return error instanceof WebhookRefusedError ? 401 : 500;
  }
}

function describe(received: WebhookEvent): string {
  switch (received.event) {
    case 'message.received': {
      const { from, message, context } = received.data;
      const choice = message.type === 'button' ? ` chose ${message.button.payload}` : '';
      return `${from}${choice}, in answer to ${context?.reference ?? 'nothing of ours'}`;
    }
    case 'message.status':
      return `${received.data.message_id} is ${received.data.status}`;
    case 'webhook.test':
      return received.data.message;
    case 'message.echo':
    case 'message.standby':
    case 'contact.changed':
    case 'contact.consent':
    case 'campaign.status':
    case 'alert.raised':
    case 'alert.resolved':
    // Events that you have not asked for, and those of later versions.
    default:
      return received.event;
  }
}
