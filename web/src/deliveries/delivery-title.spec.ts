import { describe, expect, it } from '@jest/globals';
import { deliveryTitle } from './delivery-title.ts';

describe('the heading of a delivery', () => {
  const user = '+14155550123';

  it.each([
    ['message.status', 'read', user, 'Status read, message to +14155550123'],
    ['message.status', 'failed', null, 'Status failed'],
    ['message.status', null, user, 'message.status'],
    ['message.received', 'Yes', user, 'Message from +14155550123'],
    ['message.received', 'Yes', null, 'message.received'],
    ['contact.changed', 'number', user, 'contact.changed'],
    ['webhook.test', null, null, 'webhook.test'],
  ])('of %s, %s, %s is %s', (event, summary, about, title) => {
    expect(deliveryTitle({ event, summary, user: about })).toBe(title);
  });
});
