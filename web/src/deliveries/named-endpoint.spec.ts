import { describe, expect, it } from '@jest/globals';
import type { Delivery } from '../api/types.ts';
import { endpointName, namedEndpoint } from './named-endpoint.ts';

describe('an endpoint', () => {
  it('is called by its key, if it is the key’s own', () => {
    expect(endpointName('default', 'demo')).toBe('demo');
    expect(endpointName('Stock', 'demo')).toBe('Stock');
  });
});

describe('the endpoint of a delivery', () => {
  it.each([
    ['default', null],
    ['crm', 'crm'],
    [null, null],
  ])('is named unless it is the key’s own: %s', (name, shown) => {
    expect(namedEndpoint({ endpoint_name: name } as Delivery)).toBe(shown);
  });
});
