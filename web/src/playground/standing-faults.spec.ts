import { describe, expect, it } from '@jest/globals';
import type { Payload } from './payloads.ts';
import { standingFaults } from './standing-faults.ts';

const before = {
  to: '12',
  body: 'Hello',
  sections: [{ title: 'Today', rows: [{ id: 'a', title: '' }] }],
  variables: {},
};

const faults = {
  to: 'must begin with +',
  footer: 'is required',
  sections: 'at most 10 rows',
  'sections[0].rows[0].title': 'must not be empty',
  'variables.customer': 'is required',
};

const standing = (after: object) =>
  Object.keys(standingFaults(faults, before, { ...before, ...after }));

describe('the faults that remain after a change', () => {
  it('are all of them when something else changed', () => {
    expect(standing({ body: 'Hello there' })).toEqual(Object.keys(faults));
  });

  it('are the others when one field changed', () => {
    expect(standing({ to: '+12025550147' })).toEqual(
      Object.keys(faults).filter((path) => path !== 'to'),
    );
    expect(standing({ variables: { customer: 'Priya' } })).not.toContain('variables.customer');
    expect(standing({ footer: 'Fernhill' })).not.toContain('footer');
  });

  it('leave out those of whatever contains the field', () => {
    const sections = [{ title: 'Today', rows: [{ id: 'a', title: 'Early' }] }];
    expect(standing({ sections })).toEqual(['to', 'footer', 'variables.customer']);
  });

  it.each<[string, object, object]>([
    ['emoji', { message_id: 'wamid.A' }, { message_id: 'wamid.A', remove: true }],
    ['flow.id', { flow: {} }, { flow: { name: 'tasting' } }],
    ['flow.data', { flow: { data: { a: 1 } } }, { flow: { data: { a: 1 }, screen: 'FIRST' } }],
    ['cards[1].button', { cards: [{}, {}] }, { cards: [{}, { buttons: [] }] }],
  ])('leave out one about %s when the field changed that it depends on', (path, one, other) => {
    const fault = { [path]: 'is wrong' };
    expect(standingFaults(fault, one as Payload, other as Payload)).toEqual({});
    expect(standingFaults(fault, one as Payload, { ...one, reference: 'a' })).toEqual(fault);
  });
});
