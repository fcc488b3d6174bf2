import { describe, expect, it } from '@jest/globals';
import { ApiFailure } from '../../api/client.ts';
import {
  type EndpointDraft,
  endpointBody,
  endpointFaults,
  newEndpointDraft,
  refusedEndpointFields,
} from './endpoint-draft.ts';

const draft = (change: Partial<EndpointDraft> = {}): EndpointDraft => ({
  ...newEndpointDraft,
  url: 'https://crm.example/hook',
  ...change,
});

const refusal = (code: string, fields: Record<string, string>) =>
  new ApiFailure(code, 'The API key lacks it.', 400, null, fields, null);

describe('the form of an endpoint', () => {
  it('asks for an address only', () => {
    expect(endpointFaults(newEndpointDraft)).toEqual({ url: expect.any(String) });
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

  it('shows what the API refuses at its field', () => {
    expect(
      refusedEndpointFields(
        refusal('VALIDATION_ERROR', { 'statuses[0]': 'is no status', other: 'x' }),
      ),
    ).toEqual({ statuses: 'is no status' });
    expect(refusedEndpointFields(refusal('PERMISSION_DENIED', {}))).toEqual({
      isWholeAccount: 'The API key lacks it.',
    });
    expect(refusedEndpointFields(refusal('WEBHOOK_LIMIT', {}))).toEqual({});
  });
});
