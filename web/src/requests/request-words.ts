import { catalogue, type ErrorCode } from '../../../src/errors/catalogue.ts';
import type { ApiRequest } from '../api/types.ts';
import { counted } from '../parts/numbers.ts';

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(catalogue, code);

/** What a code means, in a sentence; nothing for one that this version does not know. */
export const codeMeaning = (code: string) => (isKnown(code) ? catalogue[code].title : undefined);

/** Codes that only the dashboard's own requests are answered with. */
const ofDashboard: ReadonlySet<string> = new Set<ErrorCode>([
  'FORBIDDEN',
  'NAME_TAKEN',
  'TOTP_REQUIRED',
  'TOTP_SETUP_REQUIRED',
  'UNAUTHENTICATED',
]);

/** The codes that a request in the log can have. */
export const loggedCodes: readonly string[] = Object.keys(catalogue)
  .filter((code) => !ofDashboard.has(code))
  .toSorted((left, right) => left.localeCompare(right));

const statuses = Object.entries(catalogue)
  .filter(([code]) => !ofDashboard.has(code))
  .map(([, { status }]) => String(status));

/** What the status can be narrowed to: classes first, then each one. */
export const statusChoices: readonly string[] = [
  '2xx',
  '4xx',
  '5xx',
  ...[...new Set(statuses)].toSorted((left, right) => left.localeCompare(right)),
];

/** What became of a refused request, after what its code means. */
export function refusalEffect({ code, message_id: messageId }: ApiRequest): string {
  const isPassing = code !== null && isKnown(code) && catalogue[code].retryable;
  return [
    messageId === null && 'No message was made.',
    isPassing && 'Repeated later, it can succeed.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** `42 calls, unknown key`; a route that does not exist is answered before any key is looked at. */
export const strangersTitle = ({ calls, code }: ApiRequest) =>
  `${counted(calls, 'call')}, ${code === 'NOT_FOUND' ? 'unknown route' : 'unknown key'}`;

/** `from 192.0.2.200, in one minute` */
export const strangersOrigin = ({ address }: ApiRequest) =>
  `from ${address ?? 'an unknown address'}, in one minute`;
