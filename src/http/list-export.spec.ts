import { text } from 'node:stream/consumers';
import { type Column, exportMaxRows, exportName, exportOf, exportTypeOf } from './list-export.js';
import type { Reply, Request } from './request.js';

interface Row {
  readonly id: string;
  readonly to: string | null;
  readonly says: string;
}

const columns: readonly Column<Row>[] = [
  { name: 'id', cell: ({ id }) => id },
  { name: 'to', cell: ({ to }) => to, isPhone: true },
  { name: 'says', cell: ({ says }) => says },
];

const reply = { headers: () => reply } as unknown as Reply;

/** A list of so many rows, and how often it was read. */
function listOf(count: number, row = (at: number): Row => ({ id: `${at}`, to: null, says: 'x' })) {
  const reads: number[] = [];
  const readPage = async (limit: number, cursor = '0') => {
    reads.push(limit);
    const end = Math.min(count, Number(cursor) + limit);
    const rows = Array.from({ length: end - Number(cursor) }, (_, at) => row(Number(cursor) + at));
    return { rows, next_cursor: end < count ? String(end) : null };
  };
  return { name: 'things', columns, readPage, reads };
}

const asText = async (list: ReturnType<typeof listOf>, type: string) =>
  text(await exportOf(list, type, reply));

describe('a list as a file', () => {
  it('has a cell for each column, and none that a spreadsheet runs', async () => {
    const list = listOf(1, () => ({ id: '1', to: '+14155550123', says: '=1+1, "so"' }));
    expect(await asText(list, 'text/csv')).toBe(
      'id,to,says\r\n1,+14155550123,"\'=1+1, ""so"""\r\n',
    );
  });

  it('has the same objects as the list, one a line', async () => {
    expect(await asText(listOf(2), 'application/x-ndjson')).toBe(
      '{"id":"0","to":null,"says":"x"}\n{"id":"1","to":null,"says":"x"}\n',
    );
  });

  it('has only its headings when nothing matches', async () => {
    expect(await asText(listOf(0), 'text/csv')).toBe('id,to,says\r\n');
    expect(await asText(listOf(0), 'application/x-ndjson')).toBe('');
  });

  it('is read page by page, to the end or to the most that it may have', async () => {
    const some = listOf(2_500);
    const lines = (await asText(some, 'application/x-ndjson')).trimEnd().split('\n');
    expect(new Set(lines).size).toBe(2_500);
    expect(some.reads).toHaveLength(3);
    const many = listOf(exportMaxRows + 1);
    const written = (await asText(many, 'application/x-ndjson')).trimEnd().split('\n');
    expect(written).toHaveLength(exportMaxRows);
  });

  it('is sent in the place of a page if Accept asks for one', () => {
    const typeFor = (accept?: string) => exportTypeOf({ headers: { accept } } as Request);
    expect(typeFor('text/csv')).toBe('text/csv');
    expect(typeFor('text/html, application/x-ndjson;q=0.9')).toBe('application/x-ndjson');
    expect([typeFor(), typeFor('*/*'), typeFor('application/json, text/csv')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is called by its filters, in letters that every system takes', () => {
    const filters = [
      'failed,unconfirmed',
      undefined,
      131_026,
      '0199b1f2-0000-7000-8000-000000000001',
      new Date('2026-11-22T02:00:00Z'),
      '"; rm -rf /',
    ];
    expect(exportName('messages', filters)).toBe(
      'messages-failed-unconfirmed-131026-0199b1f2-2026-11-22T020000-rm-rf',
    );
  });
});
