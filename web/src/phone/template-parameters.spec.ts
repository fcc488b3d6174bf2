import { describe, expect, it } from '@jest/globals';
import { componentsOf, readParameter } from './template-parameters.ts';

describe('the places of a flow button', () => {
  const button = { component: 'button', button_index: 0 };
  const token = { ...button, position: 1, parameter_name: 'flow_token', kind: 'flow_token' };
  const data = {
    ...button,
    position: 2,
    parameter_name: 'flow_action_data',
    kind: 'flow_action_data',
  };
  const filled = (tokenValue: string, dataValue: string) =>
    componentsOf([
      { place: token, value: tokenValue },
      { place: data, value: dataValue },
    ]);
  const flow = { type: 'button', sub_type: 'flow', index: '0' };

  it.each([
    ['nothing', '', '', []],
    ['a token', 't', '', [{ type: 'action', action: { flow_token: 't' } }]],
    ['data', '', '{"a":1}', [{ type: 'action', action: { flow_action_data: { a: 1 } } }]],
    [
      'both',
      't',
      '{"a":1}',
      [{ type: 'action', action: { flow_token: 't', flow_action_data: { a: 1 } } }],
    ],
    [
      'data that are no JSON yet',
      '',
      '{"a',
      [{ type: 'action', action: { flow_action_data: '{"a' } }],
    ],
  ])('make one component of %s, and are read from it', (_, first, second, parameters) => {
    const components = filled(first, second);
    expect(components).toEqual([{ ...flow, parameters }]);
    expect([readParameter(components, token), readParameter(components, data)]).toEqual([
      first,
      second,
    ]);
  });
});
