import { MinLength } from 'class-validator';
import type { Mode } from '../../access/mode.js';
import { AccountQueryDto } from '../../api-keys/api-keys.dto.js';
import { IsText } from '../../http/validation/rules.js';

/** The kinds of what the search finds. */
const searchKinds = [
  'page',
  'contact',
  'message',
  'event',
  'key',
  'template',
  'request',
  'campaign',
  'endpoint',
  'account',
  'user',
  'error',
] as const;

export type SearchKind = (typeof searchKinds)[number];

/** What to search for. */
export class SearchQueryDto extends AccountQueryDto {
  /**
   * A name, the beginning of a reference, an id, an error code, or a phone number: in any notation, with its country code or without
   * it, or its last four digits or more. 2 to 100 characters.
   */
  @MinLength(2, { message: 'must have at least 2 characters' })
  @IsText(100)
  q: string;
}

/** One thing that the search found. */
export class SearchResultDto {
  /**
   * `page`, `contact`, `message`, `event`, `key`, `template`, `request`, `campaign`, `endpoint`, `account`, `user`, or
   * `error`: a code of WhatsApp or of Parley, with what it means.
   */
  kind: SearchKind;
  /**
   * The id of the thing. A page has its path, an error its code, and the list of a number's messages has the number; its
   * kind is `message`.
   */
  id: string;
  title: string;
  /** What tells it from others with the same title. */
  subtitle: string;
  /** Null for what has no mode, such as a page, and for a request that was refused before its key was known. */
  mode: Mode | null;
  /** When it was accepted or made; null for what has no such time. */
  at: Date | null;
  /**
   * Where the dashboard shows it: a path of this host, such as `/dashboard/messages/<id>`. It has the base of the
   * dashboard, which links of the dashboard's router do not have.
   */
  href: string;
}

/** What the search found. */
export class SearchResultsDto {
  /** The best first, those of one kind together; at most 20. */
  results: SearchResultDto[];
}
