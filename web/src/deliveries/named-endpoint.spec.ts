import { describe, expect, it } from '@jest/globals';
import type { Delivery } from '../api/types.ts';
import { namedEndpoint } from './named-endpoint.ts';

describe('the endpoint of a delivery', () => {
  it.each([
    ['default', null],
    ['crm', 'crm'],
    [null, null],
  ])('is named unless it is the key’s own: %s', (name, shown) => {
    expect(namedEndpoint({ endpoint_name: name } as Delivery)).toBe(shown);
  });
});
