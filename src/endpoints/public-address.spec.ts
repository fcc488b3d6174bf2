import { refusePrivate } from './public-address.js';

describe('the address of a webhook', () => {
  const check =
    (url: string, allowPrivate = false) =>
    () =>
      refusePrivate('webhook_url', url, allowPrivate);

  it.each([
    'http://127.0.0.1:4000/hook',
    'http://2130706433/',
    'http://0x7f.1/',
    'https://[::1]/',
    'https://10.1.2.3/',
    'https://[::ffff:10.0.0.1]/',
    'http://localhost/',
    'http://LOCALHOST.:8080/',
    'http://hooks.localhost/',
  ])('%s is refused when it is made', (url) => {
    expect(check(url)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: { fields: { webhook_url: expect.stringContaining('WEBHOOK_ALLOW_PRIVATE') } },
      }),
    );
    expect(check(url, true)).not.toThrow();
  });

  it.each([
    'https://example.com/',
    'https://8.8.8.8/',
    'https://notlocalhost/',
    'https://[2606:4700::1]/',
  ])('%s is taken', (url) => {
    expect(check(url)).not.toThrow();
  });
});
