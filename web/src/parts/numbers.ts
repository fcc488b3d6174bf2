const plain = new Intl.NumberFormat('en-US');

/** `46,242` */
export const amount = (value: number) => plain.format(value);

/** `1 key`, `46,242 keys` */
export const counted = (count: number, noun: string) =>
  `${amount(count)} ${count === 1 ? noun : `${noun}s`}`;

/** How many there are in all. */
export const sumOf = (parts: readonly { readonly count: number }[]) =>
  parts.reduce((sum, { count }) => sum + count, 0);

/** `1.6 %` of a whole; `< 0.1 %` for what would round to nothing. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  const percent = (part / whole) * 100;
  return percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`;
}

/** What part of the messages that WhatsApp has taken arrived, or was read: those that failed afterwards count, too. */
export const ofSent = (part: number, sent: number) =>
  sent === 0
    ? { value: '–', of: 'Nothing was sent' }
    : { value: share(part, sent), of: `${amount(part)} of ${amount(sent)} sent` };
