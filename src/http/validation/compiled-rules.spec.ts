import 'reflect-metadata';
import { IsIn, IsOptional } from 'class-validator';
import { compiledRules, findFaults } from './compiled-rules.js';
import { BelongsTo, IsListOf, IsListOfValues, IsObjectOf, IsText } from './rules.js';

class Part {
  @IsText(5)
  text: string;
}

class Section {
  @IsOptional()
  @IsText(5)
  title?: string | null;

  @IsListOf(1, 3, () => Part)
  rows: Part[];
}

class Whole {
  @IsIn(['image', 'text'], { message: 'must be image or text' })
  type: string;

  @BelongsTo('type', ['image'], 'belongs to images only', { isRequired: true })
  @IsObjectOf(() => Part)
  image?: Part | null;

  @IsOptional()
  @IsListOf(0, 12, () => Section)
  sections?: Section[] | null;

  @IsOptional()
  @IsListOfValues(0, 3, (value) => (value === 'fine' ? null : 'must be fine'))
  values?: unknown[] | null;
}

const faults = (change: object) => findFaults(Whole, { type: 'text', ...change });

describe('the rules of a class', () => {
  it('find nothing wrong with what is in order, and change nothing', () => {
    const body = {
      type: 'image',
      image: { text: 'a' },
      sections: [{ title: null, rows: [{ text: 'b' }] }],
      values: ['fine'],
    };
    const before = structuredClone(body);
    expect(findFaults(Whole, body)).toEqual({});
    expect(body).toEqual(before);
  });

  it('name what is wrong by its path: fields by dots, items by brackets', () => {
    const rows = [{ text: '' }, { text: 'x' }, {}];
    expect(faults({ sections: [{ rows: [{ text: 'a' }] }, { title: 'too long', rows }] })).toEqual({
      'sections[1].title': 'must be at most 5 characters; this has 8',
      'sections[1].rows[0].text': 'must not be blank',
      'sections[1].rows[2].text': 'is required',
    });
  });

  it('name unknown fields last, wherever they are', () => {
    const found = faults({ more: 1, sections: [{ rows: [{ text: '', x: 0 }] }] });
    expect(Object.entries(found)).toEqual([
      ['sections[0].rows[0].text', 'must not be blank'],
      ['more', 'is not a known field'],
      ['sections[0].rows[0].x', 'is not a known field'],
    ]);
  });

  it('name a list that breaks its own rule, and its items', () => {
    const rows = [{ text: 'a' }, null, { text: '' }, 'b', [{}]];
    expect(faults({ sections: [{ rows }] })).toEqual({
      'sections[0].rows': 'must have at most 3 items; this has 5',
      'sections[0].rows[1]': 'must be an object',
      'sections[0].rows[2].text': 'must not be blank',
      'sections[0].rows[3]': 'must be an object',
      'sections[0].rows[4]': 'must be an object',
    });
  });

  it('name the items that break a rule of their own instead of the list', () => {
    expect(faults({ values: ['fine', 'x'] })).toEqual({ 'values[1]': 'must be fine' });
    expect(faults({ values: ['fine', 'x', 'x', 'x'] })).toEqual({
      values: 'must have at most 3 items; this has 4',
    });
  });

  it.each([[[{}]], ['text'], [1], [null], [true]])(
    'say nothing of the parts of what should be an object: %j',
    (image) => {
      const found = findFaults(Whole, { type: 'image', image });
      expect(found).toEqual({ image: image === null ? 'is required' : 'must be an object' });
    },
  );

  it('say nothing of the parts of what should not be there', () => {
    expect(faults({ image: { text: '' } })).toEqual({ image: 'belongs to images only' });
  });

  it('hold for what a class inherits as well', () => {
    class Longer extends Whole {
      @IsText(5)
      more: string;
    }
    const body = { type: 'image', image: { text: '' }, more: 'a' };
    expect(findFaults(Longer, body)).toEqual({ 'image.text': 'must not be blank' });
  });

  it('are made once', () => {
    expect(compiledRules(Whole)).toBe(compiledRules(Whole));
  });

  it('know the fields and defaults of their class', () => {
    class Query {
      @IsOptional()
      @IsText(5)
      after = 'a';
    }
    expect([...compiledRules(Query).names]).toEqual(['after']);
    expect(compiledRules(Query).defaults).toEqual({ after: 'a' });
    expect(compiledRules(Part).defaults).toBeNull();
  });

  it('cannot be made of rules for each item: those would hold for nothing', () => {
    class Each {
      @IsIn(['a'], { each: true })
      letters: string[];
    }
    expect(() => compiledRules(Each)).toThrow('Each.letters has a rule of a kind');
  });
});
