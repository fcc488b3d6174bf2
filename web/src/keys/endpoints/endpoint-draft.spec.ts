import { describe, expect, it } from '@jest/globals';
import { ApiFailure } from '../../api/client.ts';
import type { ApiKey } from '../../api/types.ts';
import {
  type EndpointDraft,
  endpointBody,
  endpointFaults,
  eventWords,
  newEndpointDraft,
  refusedEndpointFields,
} from './endpoint-draft.ts';

const key: Pick<ApiKey, 'permissions'> = { permissions: ['view_messages'] };

const draft = (change: Partial<EndpointDraft> = {}): EndpointDraft => ({
  ...newEndpointDraft(key),
  url: 'https://crm.example/hook',
  ...change,
});

const refusal = (code: string, fields: Record<string, string>) =>
  new ApiFailure(code, 'The API key lacks it.', 400, null, fields, null);

describe('the form of an endpoint', () => {
  it('asks for an address only', () => {
    expect(endpointFaults(newEndpointDraft(key))).toEqual({ url: expect.any(String) });
    expect(endpointFaults(draft())).toEqual({});
  });

  it.each([
    [{ url: 'ftp://crm.example' }, 'url'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ events: ['webhook.test' as const] }, 'events'],
    [{ inFlight: 0 }, 'inFlight'],
    [{ inFlight: 129 }, 'inFlight'],
    [{ inFlight: '1.5' }, 'inFlight'],
  ])('says what is wrong: %j', (change, field) => {
    expect(Object.keys(endpointFaults(draft(change)))).toEqual([field]);
  });

  it('names the permission of the key that an event needs', () => {
    const [received, consent] = [
      { name: 'message.received', tells: 'Any message' },
      { name: 'contact.consent', tells: 'An opt-out' },
    ] as const as any;
    const words = (line: typeof received, of: typeof key | null) => eventWords(line, of).words;
    expect(words(received, key)).toBe('Any message. The key needs view_messages');
    expect(words(consent, key)).toBe(
      'An opt-out. The key needs manage_contacts, which it does not have',
    );
    expect(words(consent, null)).toBe('An opt-out');
    expect(newEndpointDraft({ permissions: [] }).events).toEqual(['message.status']);
  });

  it('sends null for what is left to the default', () => {
    expect(endpointBody(draft({ inFlight: '' }), true)).toEqual({
      url: 'https://crm.example/hook',
      name: null,
      events: ['message.received', 'message.status'],
      statuses: null,
      message_types: null,
      scope: 'key',
      max_in_flight: null,
    });
  });

  it('sends what is chosen, and no name where nobody gives one', () => {
    const chosen = { statuses: ['failed', 'read'], types: ['text'], isWholeAccount: true };
    expect(endpointBody(draft({ ...chosen, name: 'default' }), false)).toEqual({
      url: 'https://crm.example/hook',
      events: ['message.received', 'message.status'],
      statuses: ['read', 'failed'],
      message_types: ['text'],
      scope: 'account',
      max_in_flight: 64,
    });
  });

  it('sends the app secret of a program, and takes a verify token away', () => {
    const inbox = { isWhatsapp: true, secret: 'sixteen-letters!' };
    expect(endpointBody(draft(inbox), true)).toMatchObject({ secret: 'sixteen-letters!' });
    expect(endpointBody(draft({ ...inbox, secret: '', isTokenRemoved: true }), true)).toEqual({
      url: 'https://crm.example/hook',
      name: null,
      fields: null,
      verify_token: null,
      max_in_flight: 64,
    });
    expect(endpointFaults(draft({ ...inbox, secret: 'short' }))).toHaveProperty('secret');
  });

  it('shows what the API refuses at its field', () => {
    expect(
      refusedEndpointFields(
        refusal('VALIDATION_ERROR', { 'statuses[0]': 'is no status', other: 'x' }),
      ),
    ).toEqual({ statuses: 'is no status' });
    const denied = (message: string) =>
      refusedEndpointFields(new ApiFailure('PERMISSION_DENIED', message, 403, null, {}, null));
    expect(denied('It lacks what the scope account needs.')).toEqual({
      isWholeAccount: 'It lacks what the scope account needs.',
    });
    expect(denied('It lacks what the format whatsapp needs.')).toEqual({
      isWhatsapp: 'It lacks what the format whatsapp needs.',
    });
    expect(denied('It lacks what contact.consent needs.')).toEqual({
      events: 'It lacks what contact.consent needs.',
    });
    expect(refusedEndpointFields(refusal('WEBHOOK_LIMIT', {}))).toEqual({});
  });
});
