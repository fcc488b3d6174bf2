import { judgeGraphVersion } from './checklist-rows.js';

describe('the version of the Graph API in the checklist', () => {
  it.each([
    ['lives', 'v25.0', 'done'],
    ['is expired, because Meta serves it all the same', 'v20.0', 'done'],
    ['is unknown', 'v99.0', 'unknown'],
  ])('that %s: %s is %s', (_, version, state) => {
    const now = new Date('2026-11-27T12:00:00Z');
    expect(judgeGraphVersion(`https://graph.facebook.com/${version}`, now).state).toBe(state);
  });
});
