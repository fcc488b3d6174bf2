import { describe, expect, it } from '@jest/globals';
import { endingLinks } from './ending-links.js';

const at = '2026-11-30T09:00:00+01:00';
const warned = (link: string, sendAt: string | null = at) =>
  endingLinks({ send_at: sendAt, link } as never);

describe('a link in a scheduled message', () => {
  const s3 = (seconds: number) =>
    `https://b.s3.amazonaws.com/a.jpg?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261130T070000Z&X-Amz-Expires=${seconds}`;
  const google = (seconds: number) =>
    `https://storage.googleapis.com/b/a.jpg?X-Goog-Date=20261130T070000Z&X-Goog-Expires=${seconds}`;
  const end = Date.parse(at) / 1_000;

  it.each([
    ['S3', s3(3_599), s3(3_600)],
    ['small letters', s3(1).toLowerCase().replace('t070000z', 'T070000Z'), s3(86_400)],
    ['Google Cloud Storage', google(3_599), google(3_600)],
    [
      'CloudFront',
      `https://x.example/a?Expires=${end - 1}&Signature=x`,
      `https://x.example/a?Expires=${end}`,
    ],
    [
      'Azure',
      'https://x.blob.core.windows.net/a?se=2026-11-30T07%3A59%3A59Z&sig=x',
      'https://x.blob.core.windows.net/a?se=2026-11-30T08%3A00%3A00Z&sig=x',
    ],
  ])('of %s that ends before it is sent has a warning', (_, ending, lasting) => {
    expect(warned(ending)).toEqual([
      expect.stringMatching(
        /^link: the link ends at 2026-11-30T07:\d\d:\d\d\.000Z, before send_at/,
      ),
    ]);
    expect(warned(lasting)).toEqual([]);
    expect(warned(ending, null)).toEqual([]);
  });

  it.each([
    'https://x.example/a.jpg',
    'https://x.example/a?Expires=Mon',
    'https://x.example/a?expires=',
    'https://x.example/a?se=2020-01-01',
    'https://x.example/a?X-Amz-Date=soon&X-Amz-Expires=1',
    'https://x.example/a?X-Amz-Expires=1',
    'Look: https://x.example/a?Expires=1',
    'https://',
  ])('that does not say when it ends has none: %s', (link) => {
    expect(warned(link)).toEqual([]);
  });

  it('is named by its field, wherever it is', () => {
    const link = 'https://x.example/a?Expires=1';
    const message = {
      send_at: at,
      header: { link },
      cards: [{ link }],
      variables: { photo: link },
    };
    expect(endingLinks(message as never).map((text) => text.split(':', 1)[0])).toEqual([
      'header.link',
      'cards.0.link',
      'variables.photo',
    ]);
  });
});
