import { Transform } from 'class-transformer';
import { IsInt, IsOptional } from 'class-validator';
import { AppError } from '../../errors/app-error.js';
import { RawBody } from '../server/raw-body.js';
import { BodyPipe, validate } from './body.pipe.js';
import { IsRecipientOrTimeInQuery } from './page.dto.js';
import { IsListOf, IsListOfValues, IsObjectOf, IsPhoneNumber, IsText } from './rules.js';

class Part {
  @IsText(5)
  text: string;
}

class Whole {
  @IsText(5)
  name: string;

  @IsOptional()
  @IsObjectOf(() => Part)
  part?: Part | null;

  @IsOptional()
  @IsListOf(1, 3, () => Part)
  parts?: Part[] | null;

  @IsOptional()
  @IsListOfValues(0, 100, () => 'is wrong')
  values?: unknown[] | null;
}

class Query {
  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt({ message: 'must be a whole number' })
  limit = 20;
}

class Filter {
  @IsOptional()
  @IsPhoneNumber()
  phone?: string;

  @IsOptional()
  @IsRecipientOrTimeInQuery()
  to?: string | Date;

  @IsOptional()
  @IsText(9)
  name?: string;
}

const json = (value: unknown) =>
  new RawBody(
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    'application/json',
  );
const pipe = new BodyPipe();
const read = (value: unknown) => pipe.transform(json(value), { type: 'body', metatype: Whole });
const readQuery = (value: object) => pipe.transform(value, { type: 'query', metatype: Query });

function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { message: error.message, fields: error.details?.fields as Record<string, string> };
  }
  throw new Error('nothing was refused');
}

const copies = (count: number, value: unknown) => Array.from({ length: count }, () => value);

const members = (count: number, value: unknown = 0, prefix = 'm') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value]));

/** The same value, whose members may be read so often in all. */
function readableSoOften(value: unknown, readsMax: number): object {
  let reads = 0;
  const count = () => {
    reads += 1;
    if (reads > readsMax) throw new Error(`members were read more than ${readsMax} times`);
  };
  const guarded = (part: unknown): unknown =>
    typeof part !== 'object' || part === null
      ? part
      : new Proxy(part, {
          get(target, name, receiver) {
            count();
            return guarded(Reflect.get(target, name, receiver));
          },
          getOwnPropertyDescriptor(target, name) {
            count();
            return Reflect.getOwnPropertyDescriptor(target, name);
          },
        });
  return guarded(value) as object;
}

describe('the body pipe', () => {
  it('names at most 50 unknown fields and counts the others', () => {
    const { message, fields } = refusal(() => read({ ...members(24_000), name: 'x' }));
    expect(Object.keys(fields)).toHaveLength(50);
    expect(fields.m0).toBe('is not a known field');
    expect(message).toBe('50 fields are not valid, and 23950 more.');
  });

  it('counts unknown fields over the whole body', () => {
    const part = { text: 'x', ...members(30) };
    const { message, fields } = refusal(() => read({ name: 'x', part, parts: [part, part] }));
    expect(Object.keys(fields)).toHaveLength(50);
    expect(message).toBe('50 fields are not valid, and 40 more.');
  });

  it('still names a known field behind thousands of unknown ones', () => {
    const { fields } = refusal(() => read({ ...members(24_000), name: '' }));
    expect(fields.name).toBe('must not be blank');
  });

  it('names at most 50 items that break a rule', () => {
    const { message, fields } = refusal(() => read({ name: 'x', values: copies(80, 0) }));
    expect(Object.keys(fields)).toHaveLength(50);
    expect(message).toBe('50 fields are not valid, and 30 more.');
  });

  it('names at most 50 texts that cannot be stored', () => {
    const { message, fields } = refusal(() => read({ name: 'x', values: copies(80, '\0') }));
    expect(Object.keys(fields)).toHaveLength(50);
    expect(message).toMatch(/^50 fields are not valid, and \d+ more\.$/);
  });

  it.each([
    ['NUL', '\\u0000', 'must not contain NUL characters'],
    ['a lone surrogate', '\\ud83d', 'must not contain lone surrogates'],
  ])('refuses a body that is fine but for %s in a text', (_, escape, rule) => {
    expect(refusal(() => read(`{"name":"a${escape}"}`)).fields).toEqual({ name: rule });
  });

  it('cuts long names and long explanations, so that the answer stays small', () => {
    const long = 'x'.repeat(100_000);
    const { fields } = refusal(() => read({ [long]: members(5_000, '\0'), name: 'x' }));
    expect(JSON.stringify(fields).length).toBeLessThan(50_000);
  });

  it('keeps members that the rules of a field check themselves', () => {
    const body = { name: 'x', part: { text: 'y' }, parts: [{ text: 'z' }], values: [] };
    expect(read(body)).toEqual(body);
  });

  it('reads a blank in a number or a time of a query as the plus that was not encoded', () => {
    const sent = { phone: ' 14155550123', to: '2030-01-31T12:00:00 02:00', name: ' a b' };
    expect(pipe.transform(sent, { type: 'query', metatype: Filter })).toEqual({
      phone: '+14155550123',
      to: new Date('2030-01-31T10:00:00Z'),
      name: ' a b',
    });
    expect(
      refusal(() => pipe.transform({ phone: ' 1 415' }, { type: 'query', metatype: Filter }))
        .fields,
    ).toEqual({ phone: expect.stringContaining('E.164') });
  });

  it('converts a query, however many unknown parameters there are', () => {
    expect(readQuery({ limit: '5' })).toEqual({ limit: 5 });
    expect(readQuery({})).toEqual({ limit: 20 });
    const { fields } = refusal(() => readQuery({ ...members(4_000, '1'), limit: 'x' }));
    expect(fields.limit).toBe('must be a whole number');
    expect(Object.keys(fields)).toHaveLength(50);
  });

  it.each<[string, (count: number) => unknown]>([
    ['unknown members', (count) => members(count)],
    ['members of a text field', (count) => ({ name: members(count) })],
    ['members of an object', (count) => ({ name: 'x', part: members(count) })],
    ['objects in place of one', (count) => ({ name: 'x', part: copies(count, {}) })],
    ['objects in a list', (count) => ({ name: 'x', parts: copies(count, { a: 0 }) })],
    ['members that cannot be stored', (count) => members(count / 2, '\0')],
  ])('reads each member a few times at most, however many %s there are', (_, bodyOf) => {
    const body = readableSoOften(bodyOf(20_000), 15 * 20_000);
    expect(refusal(() => validate(Whole, body)).fields).not.toEqual({});
  });
});
