import { describe, expect, it } from '@jest/globals';
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
});
