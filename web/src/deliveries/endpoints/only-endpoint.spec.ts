import { describe, expect, it } from '@jest/globals';
import { onlyEndpoint } from './only-endpoint.ts';

const endpoints = [
  { endpoint_id: 'a', url: 'https://a.example' },
  { endpoint_id: 'b', url: 'https://b.example' },
  { endpoint_id: 'c', url: 'https://b.example' },
];

describe('a job whose events go to one endpoint', () => {
  it.each([
    [['https://a.example'], { endpoint_id: 'a' }],
    [['https://b.example'], {}],
    [['https://a.example', 'https://b.example'], {}],
    [['https://gone.example'], {}],
    [[], {}],
  ])('is narrowed to it: %j', (urls, filter) => {
    expect(onlyEndpoint(endpoints, urls)).toEqual(filter);
  });
});
