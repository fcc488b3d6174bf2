import { describe, expect, it } from '@jest/globals';
import type { MappedVariable } from '../api/types.ts';
import { changedVariableLines, variableLines } from './variable-lines.ts';

const body = (position: number, more = {}): MappedVariable => ({
  component: 'body',
  position,
  required: true,
  ...more,
});

describe('the variables of a mapping in the audit log', () => {
  it('have a line each, with the place that they fill', () => {
    expect(
      variableLines({
        order_id: body(1),
        total: { component: 'body', parameter_name: 'sum', required: false, default: '0' },
        code: { component: 'button', button_index: 1, required: true },
      }),
    ).toEqual([
      'order_id: Body {{1}}, required',
      'total: Body {{sum}}, may be left out, otherwise “0”',
      'code: Button 2, required',
    ]);
  });

  it('say what changed', () => {
    expect(
      changedVariableLines(
        { same: body(1), moved: body(2), gone: body(3) },
        { same: body(1), moved: body(3), added: body(2) },
      ),
    ).toEqual([
      'same: Body {{1}}, required',
      'moved: Body {{2}}, required → Body {{3}}, required',
      'gone: removed; was Body {{3}}, required',
      'added: Body {{2}}, required (added)',
    ]);
    expect(changedVariableLines({}, { first: body(1) })).toEqual(['first: Body {{1}}, required']);
  });
});
