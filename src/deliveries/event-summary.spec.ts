import { eventSummary, eventUser } from './event-summary.js';

const received = (message: object) =>
  JSON.stringify({ event: 'message.received', timestamp: '', data: { message } });

describe('the summary of an event', () => {
  it.each([
    ['a text', { type: 'text', text: { body: 'Hello' } }, 'Hello'],
    ['a tapped button', { type: 'button', button: { text: 'Yes', payload: 'yes' } }, 'Yes'],
    [
      'a chosen row',
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: { title: 'Noon' } } },
      'Noon',
    ],
    ['a document', { type: 'document', document: { filename: 'bill.pdf' } }, 'bill.pdf'],
    ['a shared place', { type: 'location', location: { name: 'The pier' } }, 'The pier'],
    ['an order', { type: 'order', order: { text: 'Two, please' } }, 'Two, please'],
    ['a filled flow', { type: 'flow_reply', flow_reply: { response: {} } }, 'flow_reply'],
    [
      'an edit',
      { type: 'edit', edit: { message: { type: 'image', image: { caption: 'At ten' } } } },
      'At ten',
    ],
    ['a revocation', { type: 'revoke', revoke: {} }, 'revoke'],
    ['an image without words', { type: 'image', image: { id: '1' } }, 'image'],
    ['an unknown type', { type: 'hologram', hologram: {} }, 'hologram'],
  ])('is what the user said: %s', (_, message, summary) => {
    expect(eventSummary(received(message))).toBe(summary);
  });

  it('is the status of a message, also when it failed', () => {
    const body = JSON.stringify({ event: 'message.status', data: { status: 'failed' } });
    expect(eventSummary(body)).toBe('failed');
  });

  it('is nothing for a test, which says nothing', () => {
    const body = JSON.stringify({ event: 'webhook.test', data: { message: 'This is a test.' } });
    expect(eventSummary(body)).toBeNull();
  });

  it('is never long', () => {
    const summary = eventSummary(received({ type: 'text', text: { body: 'a'.repeat(4_096) } }));
    expect(summary).toHaveLength(200);
  });
});

describe('the user of an event', () => {
  const [from, to] = ['+14155550123', '+15550783881'];
  it.each([
    ['message.received', { from, to }],
    ['message.standby', { from, to }],
    ['message.echo', { from: to, to: from }],
  ])('is never the business: %s', (event, data) => {
    expect(eventUser(JSON.stringify({ event, data }))).toBe(from);
  });
});
