import { Readable } from 'node:stream';
import { csvLine, textCell } from './csv.js';
import type { Reply, Request } from './request.js';

/** An export has no more rows than this. */
export const exportMaxRows = 100_000;

const pageRows = 1_000;

const csvType = 'text/csv';
const linesType = 'application/x-ndjson';

/** A column of a CSV file. Phone numbers begin with + and are no formula. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => string | number | Date | null | undefined;
  readonly isPhone?: boolean;
}

/** A list that can be read to its end. */
export interface ExportedList<Row> {
  /** Of the file, without its ending: what it holds, and by which filters. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** Reads one page. @param cursor what the page before said comes next. */
  readonly readPage: (
    limit: number,
    cursor: string | undefined,
  ) => Promise<{ rows: readonly Row[]; next_cursor: string | null }>;
}

/** Whether the caller wants a list as a file, and which: the first of the types in `Accept` that a list has. */
export function exportTypeOf(request: Request): string | undefined {
  const types = (request.headers.accept ?? '').split(',').map((part) => part.split(';')[0]?.trim());
  const known = types.find((type) => [csvType, linesType, 'application/json'].includes(type ?? ''));
  return known === 'application/json' ? undefined : known;
}

/**
 * A list as CSV or as NDJSON, which has the same objects as the list in JSON. It is read page by page while it is
 * sent. The first page is read before anything is sent, so errors of the filter are answered as usual.
 */
export async function exportOf<Row extends object>(
  list: ExportedList<Row>,
  type: string,
  reply: Reply,
): Promise<Readable> {
  const first = await list.readPage(pageRows, undefined);
  void reply.headers({
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': `attachment; filename="${list.name}.${type === csvType ? 'csv' : 'ndjson'}"`,
    'cache-control': 'private, no-store',
  });
  return Readable.from(type === csvType ? csvOf(list, first) : linesOf(list, first));
}

type Page<Row> = Awaited<ReturnType<ExportedList<Row>['readPage']>>;

async function* csvOf<Row>(list: ExportedList<Row>, first: Page<Row>): AsyncGenerator<string> {
  yield csvLine(list.columns.map(({ name }) => name));
  for await (const rows of pagesOf(list, first)) {
    yield rows.map((row) => csvLine(list.columns.map((column) => cellText(column, row)))).join('');
  }
}

async function* linesOf<Row>(list: ExportedList<Row>, first: Page<Row>): AsyncGenerator<string> {
  for await (const rows of pagesOf(list, first)) {
    yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}

/** The rows of all pages, up to the most that an export has; no page is empty. */
async function* pagesOf<Row>(
  { readPage }: ExportedList<Row>,
  first: Page<Row>,
): AsyncGenerator<readonly Row[]> {
  let left = exportMaxRows;
  for (let page = first; ; ) {
    left -= page.rows.length;
    if (page.rows.length > 0) yield page.rows;
    if (page.next_cursor === null || left === 0) return;
    page = await readPage(Math.min(pageRows, left), page.next_cursor);
  }
}

function cellText<Row>({ cell, isPhone }: Column<Row>, row: Row): string {
  const value = cell(row) ?? '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(value);
  return isPhone ? value : textCell(value);
}

/** A part of a file name: letters, digits and signs that no system gives a meaning. */
const namePart = (text: string) => (text.match(/[\w.]+/g) ?? []).join('-').slice(0, 40);

/** `messages-failed-131026`: what a list holds, and what it is narrowed to; ids by their beginning. */
export function exportName(list: string, filters: readonly (string | number | Date | undefined)[]) {
  const parts = filters.flatMap((filter) => {
    if (filter === undefined || filter === '') return [];
    if (filter instanceof Date) return [filter.toISOString().slice(0, 19).replaceAll(':', '')];
    return [namePart(idForm.test(String(filter)) ? String(filter).slice(0, 8) : String(filter))];
  });
  return [list, ...parts].join('-');
}

const idForm = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
