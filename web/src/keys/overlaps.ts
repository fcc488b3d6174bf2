import { clockTime, dateAndTime, momentText } from '../parts/times.ts';

const daySeconds = 86_400;

/** How long an old secret may go on working, in seconds. */
export const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '3600', label: '1 hour' },
  { value: String(daySeconds), label: '24 hours' },
  { value: String(7 * daySeconds), label: '7 days' },
];

/** What is proposed. Nobody knows of every program that holds a secret: one click must cut off none. */
export const proposedOverlap = String(daySeconds);

/** What the button does: `Rotate key · old one works until 26 Nov, 09:12`. */
export function rotateWords(secret: string, overlap: string, now: number): string {
  const until = new Date(now + Number(overlap) * 1_000).toISOString();
  return `Rotate ${secret} · old one ${
    overlap === '0' ? 'stops now' : `works until ${momentText(until)}`
  }`;
}

/** What has become of the old key: `The old key is refused since 09:24:21.` */
export function oldKeyWords(overlapSeconds: number, now: number): string {
  const end = new Date(now + overlapSeconds * 1_000).toISOString();
  return overlapSeconds === 0
    ? `The old key is refused since ${clockTime(end).slice(0, 8)}.`
    : `The old key works until ${dateAndTime(end)}.`;
}
