import { secondMs } from '#libs/durations';
import type { SendTimes } from './send.dto.js';

/** `20261130T090000Z`, as AWS and Google write a time. */
const compactTime = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** When a presigned link of S3, Google Cloud Storage, CloudFront or Azure ends, in milliseconds; null: it does not say. */
function endOf(text: string): number | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const query = new Map(
    [...new URL(text).searchParams].map(([name, value]) => [name.toLowerCase(), value]),
  );
  for (const vendor of ['x-amz', 'x-goog']) {
    const signed = query.get(`${vendor}-date`)?.replace(compactTime, '$1-$2-$3T$4:$5:$6Z');
    const end = Date.parse(signed ?? '') + wholeSeconds(query.get(`${vendor}-expires`)) * secondMs;
    if (!Number.isNaN(end)) return end;
  }
  const end = wholeSeconds(query.get('expires')) * secondMs;
  if (!Number.isNaN(end)) return end;
  // `se` is Azure's only next to a signature.
  const azure = query.has('sig') ? Date.parse(query.get('se') ?? '') : Number.NaN;
  return Number.isNaN(azure) ? null : azure;
}

const wholeSeconds = (text = '') => (/^\d{1,11}$/.test(text) ? Number(text) : Number.NaN);

/**
 * The links of a scheduled message that end before it is sent, by their fields: WhatsApp fetches a link only then, so that
 * Parley cannot know more than what the link itself says.
 */
export function endingLinks(message: SendTimes): string[] {
  const sendAt = Date.parse(message.send_at ?? '');
  if (Number.isNaN(sendAt)) return [];
  return [...textsIn(message)].flatMap(([path, text]) => {
    const end = endOf(text);
    if (end === null || end >= sendAt) return [];
    return `${path}: the link ends at ${new Date(end).toISOString()}, before send_at, and WhatsApp fetches it then: give one that lasts longer, or upload the file and give its media_id`;
  });
}

function* textsIn(value: unknown, path = ''): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    yield* textsIn(one, path === '' ? key : `${path}.${key}`);
  }
}
