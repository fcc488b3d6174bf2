import { describe, expect, it } from '@jest/globals';
import { senderOf } from './delivery-sender.ts';

const from = (data: object) => JSON.stringify({ type: 'message.received', data });
const contact = { contact_id: 'c1', from: '+14155550205', from_name: 'Elena Fischer' };

describe('who wrote the message of an event', () => {
  it.each([
    [contact, 'Elena Fischer'],
    [{ ...contact, from_name: null, from_username: 'elena' }, '@elena'],
    [{ ...contact, from_name: null }, '+14155550205'],
  ])('is a contact by what people call them: %j', (data, name) => {
    expect(senderOf('message.received', from(data))).toEqual({ contactId: 'c1', name });
  });

  it('is nobody of whom no contact is named', () => {
    expect(senderOf('message.received', from({ ...contact, contact_id: null }))).toBeNull();
    expect(senderOf('message.received', '{}')).toBeNull();
    expect(senderOf('message.echo', from(contact))).toBeNull();
  });
});
