import { errorTextOf } from '#libs/whatsapp';
import { catalogue } from '../../errors/catalogue.js';
import type { SearchResultDto } from './search.dto.js';

/** Shorter beginnings of Parley's codes are words. */
const codeMin = 4;

/** Finds a code of WhatsApp by its number, and codes of Parley by their beginning: what they mean, and where they came. */
export function findErrors(text: string, limit: number): SearchResultDto[] {
  const result = (code: string, title: string, subtitle: string, path: string) =>
    ({
      kind: 'error',
      id: code,
      title,
      subtitle,
      mode: null,
      at: null,
      href: `/dashboard/${path}`,
    }) as const;
  const known = /^[1-9]\d{1,5}$/.test(text) ? errorTextOf(Number(text)) : null;
  if (known) {
    return [result(text, `${text}: ${known.meaning}`, known.advice, `messages?code=${text}`)];
  }
  const start = text.toUpperCase().replaceAll(' ', '_');
  return Object.entries(catalogue)
    .filter(([code]) => start.length >= codeMin && code.startsWith(start))
    .slice(0, limit)
    .map(([code, { title }]) => result(code, code, title, `requests?code=${code}`));
}
