import { Webhook } from 'standardwebhooks';
import { signatureHeaders, webhookId } from './event-signature.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('the signature of an event', () => {
  it.each([
    [
      'the vector of the public libraries',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      '{"test": 2432232314}',
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ],
    [
      'the vector of our envelope',
      'msg_01JD0000000000000000000000',
      1795000000,
      '{"event":"message.received","timestamp":"2026-11-21T09:00:00.000Z","data":{"message_id":"wamid.X","from":"+15550002222","to":"+15550001111","message":{"type":"button","button":{"text":"Yes","payload":"y"}}}}',
      'v1,468i96SyAa8vuhhlUMNnFjtZUW4ZVnrYULeLppYWAWE=',
    ],
  ])('is that of %s', (_, id, seconds, body, expected) => {
    expect(signatureHeaders(id, new Date(seconds * 1_000), body, [secret])).toEqual({
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': expected,
    });
  });

  it('verifies with either secret during a rotation, in the public library', () => {
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const body = '{"event":"webhook.test","text":"Grüße 👋"}';
    const headers = signatureHeaders(webhookId('0193-a'), new Date(), body, [secret, other]);
    for (const one of [secret, other]) {
      expect(new Webhook(one).verify(body, headers)).toEqual(JSON.parse(body));
    }
    const stranger = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    expect(() => new Webhook(stranger).verify(body, headers)).toThrow('No matching signature');
  });
});
