import type { IncomingMessage } from 'node:http';
import { tokensOf, withoutTokens } from './address-tokens.js';

const read = (url: string) => {
  const request = { url } as IncomingMessage & { originalUrl?: string };
  const path = withoutTokens(request);
  return { path, url: request.url, token: tokensOf(request).access_token };
};

describe('the tokens in an address', () => {
  it.each([
    ['/graph/v23.0/1?access_token=T', '/graph/v23.0/1'],
    ['/graph/v23.0/1?a=b&ACCESS_TOKEN=T&c=d', '/graph/v23.0/1?a=b&c=d'],
    ['/graph/v23.0/1?%61ccess%5Ftoken=T', '/graph/v23.0/1'],
    ['/graph/v23.0/1?access_token=x&access_token=T', '/graph/v23.0/1'],
    ['/graph/v23.0/1?a=b;access_token=T;c=d', '/graph/v23.0/1?a=b;c=d'],
    ['/graph/v23.0/1??access_token=T', '/graph/v23.0/1'],
    ['/graph/v23.0/1?a=b?access_token=T', '/graph/v23.0/1?a=b'],
    ['/graph/v23.0/1#access_token=T', '/graph/v23.0/1'],
    ['/graph/v23.0/1?a=b#access_token=T', '/graph/v23.0/1?a=b'],
    ['/%67raph/v23.0/1?access_token=T', '/graph/v23.0/1'],
    ['/%67raph/v23.0/%zz?access_token=T', '/graph/v23.0/%zz'],
    ['/graph/v23.0/%zz?access_token=T', '/graph/v23.0/%zz'],
    ['/graph?access_token=T', '/graph'],
    ['//graph/v23.0/1?access_token=T', '//graph/v23.0/1'],
    ['/GRAPH/v23.0/1?access_token=T', '/GRAPH/v23.0/1'],
    ['/%2fgraph/v23.0/1?access_token=T', '/%2fgraph/v23.0/1'],
    ['/graph%2Fv23.0/1?access_token=T', '/graph%2Fv23.0/1'],
    ['http://localhost:3000/graph/v23.0/1?access_token=T', '/graph/v23.0/1'],
    ['HTTPS://localhost//graph/v23.0/1?access_token=T', '//graph/v23.0/1'],
  ])('of %s are cut out of it', (url, clean) => {
    expect(read(url)).toEqual({ path: clean, url: clean, token: 'T' });
  });

  it.each([
    '/api/v1/external/messages?access_token=T',
    '/graphs/v23.0/1?access_token=T',
    'http://localhost/api/v1/external/messages?access_token=T',
    '/graph/v23.0/1?limit=2&after=a%20b',
    '*',
  ])('are not looked for in %s', (url) => {
    expect(read(url)).toEqual({ path: url, url, token: undefined });
  });
});
