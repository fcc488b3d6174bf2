import { describe, expect, it } from '@jest/globals';
import type { MessageDetails } from '../api/types.ts';
import { type Payload, type PlaygroundType, samples } from './payloads.ts';
import { platformShape } from './platform-shape.ts';
import { sentRequest } from './sent-request.ts';

const sent = (type: PlaygroundType, body: Payload, payload: object | null) =>
  sentRequest({
    type,
    to: body.to,
    reference: body.reference ?? null,
    platform_payload: payload,
  } as MessageDetails);

const nothing = { template: undefined, variables: undefined };

describe('the request behind a message', () => {
  it.each(['list', 'button', 'media'] as const)('is the one that was sent, for %s', (type) => {
    const body = samples[type];
    expect(sent(type, body, platformShape(type, body, nothing))).toEqual({ type, body });
  });

  it('has the message that a text answers', () => {
    const body = { to: '+12025550147', body: 'Yes', preview_url: false, reply_to: 'wamid.A' };
    const payload = {
      type: 'text',
      context: { message_id: 'wamid.A' },
      text: { preview_url: false, body: 'Yes' },
    };
    expect(sent('text', body, payload)?.body).toEqual(body);
  });

  it('fills a template by WhatsApp’s components', () => {
    const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Priya' }] }];
    const body = { to: '+12025550147', template_name: 'hello', language: 'en_GB', components };
    const payload = {
      type: 'template',
      template: { name: 'hello', language: { code: 'en_GB' }, components },
    };
    expect(sent('template', body, payload)?.body).toEqual(body);
  });

  it('is not known when what was sent is no longer kept', () => {
    expect(sent('list', samples.list, null)).toBeNull();
  });
});
