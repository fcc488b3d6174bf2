import { isLocalHost } from './index.js';

describe('a Host header', () => {
  it.each([
    '127.0.0.1:3000',
    '10.0.0.7',
    '[::1]:3000',
    '[::1]',
    'localhost:3002',
    'LOCALHOST',
    'simulator:3002',
    'simulator.parley.svc:3002',
    'parley.svc.cluster.local',
    'api.localhost',
  ])('of %s is local', (header) => {
    expect(isLocalHost(header)).toBe(true);
  });

  it.each([
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    'local.example',
    '',
    undefined,
  ])('of %s is not', (header) => {
    expect(isLocalHost(header)).toBe(false);
  });
});
