import 'reflect-metadata';
import { validateSync } from 'class-validator';
import * as fc from 'fast-check';
import { ButtonMessageDto } from '../interactive-messages/button-message.dto.js';
import { ListMessageDto } from '../interactive-messages/list-message.dto.js';
import { MessageListDto } from '../messages/message-list.dto.js';
import { compiledRules, type Dto } from './compiled-rules.js';
import { toInstance } from './instances.js';
import { validatorOptions } from './violations.js';

const row = () => ({ id: 'a', title: 'A', description: 'D' });
const bodies: [Dto, () => object][] = [
  [
    ButtonMessageDto,
    () => ({
      to: '+14155550123',
      header: { type: 'text', text: 'H' },
      body: 'B',
      footer: 'F',
      buttons: [
        { id: 'a', title: 'A' },
        { id: 'b', title: 'B' },
      ],
      reference: 'r',
    }),
  ],
  [
    ButtonMessageDto,
    () => ({
      to: '+14155550123',
      header: { type: 'document', document: { link: 'https://example.com/a', filename: 'a' } },
      body: 'B',
      buttons: [{ id: 'a', title: 'A' }],
    }),
  ],
  [
    ListMessageDto,
    () => ({
      to: '+14155550123',
      header: 'H',
      body: 'B',
      button: 'C',
      sections: [
        { title: 'S', rows: [row(), { ...row(), id: 'b' }] },
        { rows: [{ id: 'c', title: 'C' }] },
      ],
    }),
  ],
];

const values = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    ' ',
    'a',
    'b',
    'text',
    'image',
    'video',
    'document',
    0,
    1,
    true,
    false,
    [],
    {},
    [null],
    [[]],
    [{}],
    [undefined],
    '+14155550123',
    '+0',
    'https://example.com/b',
    { link: 'https://example.com/b' },
    { link: 'https://example.com/b', filename: 'b' },
    { type: 'image', image: { link: 'http://example.com' } },
    { type: 'video' },
    { id: 'a', title: 'A' },
    'x'.repeat(21),
    'x'.repeat(61),
    '😀'.repeat(20),
    '😀'.repeat(21),
  ),
  fc.string({ maxLength: 30 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const names = fc.constantFrom(
  'to',
  'header',
  'body',
  'footer',
  'button',
  'buttons',
  'sections',
  'rows',
  'reference',
  'id',
  'title',
  'description',
  'type',
  'text',
  'image',
  'video',
  'document',
  'link',
  'filename',
  'more',
  '0',
);

const mutations = fc.array(
  fc.record({ steps: fc.array(fc.nat(9), { maxLength: 4 }), name: names, value: values }),
  { minLength: 1, maxLength: 3 },
);

/** Puts a value somewhere into a body: at a place that is there, or under a name. */
function mutate(body: object, steps: readonly number[], name: string, value: unknown): void {
  let place: Record<string, unknown> = body as Record<string, unknown>;
  let key = name;
  for (const step of steps) {
    const keys = Object.keys(place);
    if (keys.length === 0) break;
    const chosen = keys[step % keys.length] as string;
    const next = place[chosen];
    if (typeof next !== 'object' || next === null) {
      key = chosen;
      break;
    }
    place = next as Record<string, unknown>;
  }
  if (Array.isArray(place)) place[Number(key) || 0] = value;
  else if (value === undefined) Reflect.deleteProperty(place, key);
  else place[key] = value;
}

/** A body is JSON: there is nothing undefined in it, and nothing inherited. */
const asParsed = (body: object): object => JSON.parse(JSON.stringify(body));

const isFine = (dto: Dto, plain: object) =>
  validateSync(toInstance(dto, plain).instance, validatorOptions).length === 0;

describe('compiled rules', () => {
  it.each(bodies)('take what class-validator takes, and nothing else', (dto, body) => {
    const rules = compiledRules(dto);
    if (!rules) throw new Error('the rules of messages must be compiled');
    expect(rules(body())).toBe(true);
    let fine = 0;
    fc.assert(
      fc.property(mutations, (changes) => {
        const changed = body();
        for (const { steps, name, value } of changes) {
          mutate(changed, steps, name, structuredClone(value));
        }
        const plain = asParsed(changed);
        const expected = isFine(dto, plain);
        fine += Number(expected);
        expect(rules(plain)).toBe(expected);
      }),
      { numRuns: 1_500 },
    );
    // Neither answer is the only one.
    expect(fine).toBeGreaterThan(50);
    expect(fine).toBeLessThan(1_450);
  });

  it('are the same function every time', () => {
    expect(compiledRules(ListMessageDto)).toBe(compiledRules(ListMessageDto));
  });

  it('do not change what they judge', () => {
    for (const [dto, body] of bodies) {
      const plain = body();
      compiledRules(dto)?.(plain);
      expect(plain).toEqual(body());
    }
  });

  it('are left to class-validator where a class converts or has defaults', () => {
    expect(compiledRules(MessageListDto)).toBeNull();
  });
});
