import { EndpointPace } from './endpoint-pace.js';

const endpointMax = 64;

const succeed = (pace: EndpointPace, times: number) => {
  for (let time = 0; time < times; time += 1) pace.noteSuccess();
};

describe('the pace of an endpoint', () => {
  it('begins with eight attempts at once, and grows with each success up to its bound', () => {
    const pace = new EndpointPace(false, endpointMax);
    expect(pace.bound()).toBe(8);
    succeed(pace, 2);
    expect(pace.bound()).toBe(10);
    succeed(pace, 1_000);
    expect(pace.bound()).toBe(endpointMax);
  });

  it('is one at a time while the endpoint fails, and what it was after the next success', () => {
    const pace = new EndpointPace(false, endpointMax);
    succeed(pace, 12);
    pace.noteFailure(500, 1, 2);
    expect(pace.bound()).toBe(1);
    expect(pace.noteSuccess()).toBe(true);
    expect(pace.bound()).toBe(21);
    expect(pace.noteSuccess()).toBe(false);
  });

  it('is one at a time from the start where an earlier worker saw it fail', () => {
    expect(new EndpointPace(true, endpointMax).bound()).toBe(1);
  });

  it.each([
    ['no answer', null, 8],
    ['408', 408, 8],
    ['429', 429, 8],
    ['503', 503, 8],
    ['400', 400, 16],
    ['500', 500, 16],
    ['404', 404, 16],
  ])('of sixteen is, after %s (%j), %i: half of it for overload', (_, status, expected) => {
    const pace = new EndpointPace(false, endpointMax);
    succeed(pace, 8);
    pace.noteFailure(status, 1, 2);
    pace.noteSuccess();
    expect(pace.bound()).toBe(expected + 1);
  });

  it('is halved once for all attempts that were under way together', () => {
    const pace = new EndpointPace(false, endpointMax);
    succeed(pace, 56);
    for (let attempt = 0; attempt < 64; attempt += 1) pace.noteFailure(null, 1, 100);
    pace.noteFailure(null, 101, 200);
    pace.noteSuccess();
    expect(pace.bound()).toBe(17);
  });

  it('pauses after eight failures in a row, and not before', () => {
    const pace = new EndpointPace(false, endpointMax);
    for (let failure = 1; failure <= 7; failure += 1) pace.noteFailure(500, 0, 1_000);
    expect(pace.pauseMs(1_000)).toBe(0);
    pace.noteFailure(500, 0, 1_000);
    expect(pace.pauseMs(1_000)).toBe(100);
    expect(pace.pauseMs(1_100)).toBe(0);
  });
});
