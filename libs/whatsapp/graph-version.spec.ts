import { graphVersionOf, graphVersionText } from './graph-version.js';

const now = new Date('2026-11-27T12:00:00Z');
const host = 'https://graph.facebook.com';

describe('the version of the Graph API in an address', () => {
  it.each([
    [
      'lives until its last day',
      '/v25.0',
      { version: 'v25.0', state: 'lives', until: '2028-07-29' },
    ],
    [
      'has no known end if it is the newest',
      '/v26.0',
      { version: 'v26.0', state: 'lives', until: null },
    ],
    [
      'is expired after that day',
      '/v20.0',
      { version: 'v20.0', state: 'expired', until: '2026-09-24' },
    ],
    ['may be unknown', '/v99.0', { version: 'v99.0', state: 'unknown', until: null }],
    ['may be missing', '', { version: null, state: 'unknown', until: null }],
    [
      'may stand behind other parts',
      '/proxy/v24.0',
      { version: 'v24.0', state: 'lives', until: '2028-02-18' },
    ],
  ])('%s', (_, path, version) => {
    expect(graphVersionOf(host + path, now)).toEqual(version);
  });

  it('lives on its last day, and not on the next', () => {
    const stateAt = (time: string) => graphVersionOf(`${host}/v21.0`, new Date(time)).state;
    expect(stateAt('2027-01-21T23:59:59Z')).toBe('lives');
    expect(stateAt('2027-01-22T00:00:00Z')).toBe('expired');
  });

  it.each([
    ['/v25.0', 'Version v25.0 of the Graph API is served until 2028-07-29.'],
    [
      '/v26.0',
      'Version v26.0 of the Graph API is the newest; Meta has not said until when it is served.',
    ],
    [
      '/v20.0',
      'Version v20.0 of the Graph API ended on 2026-09-24. Meta serves it with v21.0, the oldest that lives: set a newer one in PLATFORM_BASE_URL.',
    ],
    [
      '/v99.0',
      'Version v99.0 of the Graph API is unknown to this version of Parley, and so is until when it is served.',
    ],
    [
      '',
      'PLATFORM_BASE_URL names no version of the Graph API: until when it is served is unknown.',
    ],
  ])('is described: %s', (path, text) => {
    expect(graphVersionText(graphVersionOf(host + path, now), now)).toBe(text);
  });
});
