import { describe, expect, it } from '@jest/globals';
import type { MessageDetails } from '../api/types.ts';
import { directKinds } from './direct-kinds.ts';
import { interactiveKinds } from './interactive-kinds.ts';
import type { Payload } from './payloads.ts';
import { kindOf, type PlaygroundType } from './playground-types.ts';
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
  it.each(Object.entries({ ...interactiveKinds, ...directKinds }))(
    'is the one that was sent, for %s',
    (type, { sample, shape }) => {
      expect(sent(type as PlaygroundType, sample, shape(sample, nothing))).toEqual({
        type,
        body: sample,
      });
    },
  );

  const greeting = { to: '+12025550147', body: 'Hello' };
  const link = { text: 'Buy', url: 'https://example.com/honey' };
  const image = { type: 'image', image: { link: 'https://example.com/honey.jpg' } };
  it.each<[string, PlaygroundType, Payload]>([
    [
      'flow of a name, whose screen comes from a server',
      'flow',
      {
        ...greeting,
        flow: { name: 'tasting', cta: 'Book', mode: 'draft', action: 'data_exchange' },
      },
    ],
    ['flow that begins by itself', 'flow', { ...greeting, flow: { id: '1042', cta: 'Book' } }],
    ['header with a picture', 'cta_url', { ...greeting, header: image, button: link }],
    [
      'carousel with buttons that open pages',
      'carousel',
      {
        ...greeting,
        cards: [
          { header: image, button: link },
          { header: image, button: link },
        ],
      },
    ],
    ['place without a name', 'location', { to: greeting.to, latitude: -33.9, longitude: 18.4 }],
    [
      'reaction that is taken back',
      'reaction',
      { to: greeting.to, message_id: 'wamid.A', remove: true },
    ],
  ])('is the one that was sent, for a %s', (_, type, request) => {
    expect(sent(type, request, kindOf[type].shape(request, nothing))?.body).toEqual(request);
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
    expect(sent('list', kindOf.list.sample, null)).toBeNull();
  });
});
