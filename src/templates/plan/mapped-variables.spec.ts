import {
  fillComponents,
  fitVariables,
  type MappedVariables,
  problemText,
} from './mapped-variables.js';
import { compileTemplate } from './template-plan.js';

type Components = Parameters<typeof compileTemplate>[0]['components'];

const plan = (components: Components, parameterFormat: 'POSITIONAL' | 'NAMED' = 'POSITIONAL') =>
  compileTemplate({ parameterFormat, components });
const body = (text: string) => ({ type: 'BODY', text });
const variable = (component: 'header' | 'body' | 'button', change = {}) => ({
  component,
  required: true,
  ...change,
});

const full = plan([
  { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://x.example/a.jpg'] } },
  { ...body('{{2}} and {{1}}, {{2}} again'), example: { body_text: [['one', 'two']] } },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Yes' },
      {
        type: 'URL',
        text: 'A',
        url: 'https://x.example/a/{{1}}',
        example: ['https://x.example/a/b'],
      },
      { type: 'URL', text: 'B', url: 'https://x.example' },
      { type: 'COPY_CODE', example: ['SALE'] },
      { type: 'PHONE_NUMBER', phone_number: '+14155550123' },
      { type: 'OTP' },
    ],
  },
]);

describe('a plan', () => {
  it('has every place of a template once, in the order of a payload, with its example', () => {
    const places = full.slots.map(
      ({ component, position, buttonIndex, kind, isRequired, example }) => [
        component,
        position,
        buttonIndex,
        kind,
        isRequired,
        example,
      ],
    );
    expect(places).toEqual([
      ['header', 1, null, 'image', true, 'https://x.example/a.jpg'],
      ['body', 1, null, 'text', true, 'one'],
      ['body', 2, null, 'text', true, 'two'],
      ['button', 1, 0, 'payload', false, null],
      ['button', 1, 1, 'url_suffix', true, 'b'],
      ['button', 1, 3, 'coupon_code', true, 'SALE'],
      ['button', 1, 5, 'url_suffix', true, null],
    ]);
  });

  it('has named places by their names, in the order of the text', () => {
    const named = plan(
      [
        { type: 'header', format: 'text', text: 'Hi {{ first_name }}' },
        {
          ...body('{{b}} {{a}} {{b}}'),
          example: { body_text_named_params: [{ param_name: 'a', example: 'A' }] },
        },
      ],
      'NAMED',
    );
    expect(
      named.slots.map(({ component, name, position, example }) => [
        component,
        name,
        position,
        example,
      ]),
    ).toEqual([
      ['header', 'first_name', 1, null],
      ['body', 'b', 1, null],
      ['body', 'a', 2, 'A'],
    ]);
  });

  it.each([
    ['nothing', []],
    [
      'texts without variables',
      [{ type: 'HEADER', format: 'TEXT', text: 'a' }, body('b {1} {{}}')],
    ],
    ['parts that are missing', [{ type: 'HEADER' }, { type: 'BODY' }, { type: 'BUTTONS' }]],
    ['examples of another shape', [{ ...body('a'), example: { body_text: [null, 1] } }]],
  ])('of %s has no places', (_, components) => {
    expect(plan(components).slots).toEqual([]);
  });
});

describe('a mapping', () => {
  const fitting: MappedVariables = {
    picture: variable('header'),
    one: variable('body', { position: 1 }),
    two: variable('body', { position: 2 }),
    end: variable('button', { button_index: 1 }),
    code: variable('button', { button_index: 3, required: false, default: 'SALE' }),
    otp: variable('button', { button_index: 5 }),
  };

  it('that fits leaves optional places out and fills the others in order', () => {
    const { filling } = fitVariables(full, fitting);
    const values = new Map([
      ['picture', 'https://x.example/b.png'],
      ['two', '2'],
      ['one', '1'],
      ['end', 'c'],
      ['otp', '123456'],
    ]);
    const components =
      filling &&
      fillComponents(filling, ({ name, byDefault }) => values.get(name ?? '') ?? byDefault);
    expect(components).toEqual([
      {
        type: 'header',
        parameters: [{ type: 'image', image: { link: 'https://x.example/b.png' } }],
      },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: '1' },
          { type: 'text', text: '2' },
        ],
      },
      { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'c' }] },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '3',
        parameters: [{ type: 'coupon_code', coupon_code: 'SALE' }],
      },
      {
        type: 'button',
        sub_type: 'url',
        index: '5',
        parameters: [{ type: 'text', text: '123456' }],
      },
    ]);
  });

  const flowParameters = (variables: MappedVariables, values: Record<string, string> = {}) => {
    const flow = { type: 'FLOW', text: 'Book', flow_id: 1 };
    const { filling } = fitVariables(plan([{ type: 'BUTTONS', buttons: [flow] }]), variables);
    return (
      filling && fillComponents(filling, ({ name, byDefault }) => values[name ?? ''] ?? byDefault)
    );
  };
  const flowButton = (action: object) => [
    { type: 'button', sub_type: 'flow', index: '0', parameters: [{ type: 'action', action }] },
  ];
  const ofFlow = (parameter_name: string) =>
    variable('button', { button_index: 0, parameter_name, required: false });

  it('names a flow button without any variable', () => {
    expect(flowParameters({})).toEqual(flowButton({ flow_token: 'unused' }));
  });

  it('may give the token and the data of a flow button', () => {
    const variables = { token: ofFlow('flow_token'), start: ofFlow('flow_action_data') };
    expect(flowParameters(variables)).toEqual(flowButton({ flow_token: 'unused' }));
    expect(flowParameters(variables, { token: 't', start: '{"guests":2}' })).toEqual(
      flowButton({ flow_token: 't', flow_action_data: { guests: 2 } }),
    );
  });

  it.each([
    ['EUR 12', 'EUR', 12_000],
    ['12.5 USD', 'USD', 12_500],
    ['0.999JPY', 'JPY', 999],
    ['-3.07 GBP', 'GBP', -3_070],
  ])('puts the amount %s into a currency', (value, code, amount_1000) => {
    const { filling } = fitVariables(plan([body('{{1}}')]), {
      amount: variable('body', { type: 'currency' }),
    });
    expect(filling && fillComponents(filling, () => value)).toEqual([
      {
        type: 'body',
        parameters: [{ type: 'currency', currency: { fallback_value: value, code, amount_1000 } }],
      },
    ]);
  });

  it('calls a button by its index when nothing fills it', () => {
    const link = { type: 'URL', text: 'A', url: 'https://x.example/{{1}}' };
    const { problems } = fitVariables(plan([{ type: 'BUTTONS', buttons: [link] }]), {});
    expect(problems).toEqual({ variables: 'nothing fills the button at index 0' });
  });

  const b = (change = {}) => variable('body', change);
  it.each<[string, MappedVariables, Record<string, string>]>([
    ['a place left empty', { one: b({ position: 1 }) }, { variables: 'nothing fills body {{2}}' }],
    [
      'two variables in one place',
      { one: b({ position: 1 }), other: b({ position: 1 }) },
      { 'variables.other': 'fills body {{1}}, which one fills already' },
    ],
    [
      'a position that is not there',
      { one: b({ position: 3 }) },
      { 'variables.one.position': 'the body has 2 parameters' },
    ],
    [
      'no position',
      { one: b() },
      { 'variables.one.position': 'is required: the body has 2 parameters' },
    ],
    [
      'a name in a template with positions',
      { one: b({ parameter_name: '1' }) },
      { 'variables.one.parameter_name': 'the body has no parameter of this name' },
    ],
    [
      'a component without parameters',
      { one: variable('header') },
      { 'variables.one.component': 'the template’s header has no parameters' },
    ],
    [
      'a button without its index',
      { one: variable('button') },
      { 'variables.one.button_index': 'is required for a button' },
    ],
    [
      'a button that is not there',
      { one: variable('button', { button_index: 0 }) },
      { 'variables.one.button_index': 'the template has 0 buttons' },
    ],
    [
      'an index outside buttons',
      { one: b({ position: 1, button_index: 0 }) },
      { 'variables.one.button_index': 'belongs to buttons only' },
    ],
    [
      'a place that may stay empty',
      { one: b({ position: 1, required: false }), two: b({ position: 2 }) },
      {
        'variables.one.required': 'must be true, or set a default: body {{1}} is never empty',
      },
    ],
    [
      'a default that the place does not take',
      { one: b({ position: 1, default: 'a\nb' }), two: b({ position: 2 }) },
      {
        'variables.one.default':
          'must not contain a newline, a tab or more than four spaces in a row',
      },
    ],
  ])('with %s does not fit', (_, variables, problems) => {
    expect(fitVariables(plan([body('{{1}} {{2}}')]), variables)).toEqual({
      filling: null,
      problems,
    });
  });

  it.each<[string, Components, string]>([
    [
      'a location',
      [{ type: 'HEADER', format: 'LOCATION' }],
      'the header is a location, which a variable cannot fill',
    ],
    [
      'a carousel',
      [{ type: 'CAROUSEL' }],
      'the template has carousel, which variables cannot fill',
    ],
    [
      'a header of an unknown format',
      [{ type: 'HEADER', format: 'GIF' }],
      'the template has a header of the format GIF, which variables cannot fill',
    ],
    [
      'several products',
      [{ type: 'BUTTONS', buttons: [{ type: 'MPM' }] }],
      'the template has MPM, which variables cannot fill',
    ],
  ])('does not fit a template with %s', (_, components, reason) => {
    const { problems } = fitVariables(plan(components), {});
    expect(problemText(problems ?? {})).toBe(reason);
  });

  it('names a parameter by name, by its place, or not at all where there is only one', () => {
    const named = plan(
      [{ type: 'HEADER', format: 'TEXT', text: '{{a}}' }, body('{{b}} {{c}}')],
      'NAMED',
    );
    const { filling } = fitVariables(named, {
      one: variable('header'),
      two: variable('body', { parameter_name: 'c', position: 2 }),
      three: variable('body', { position: 1 }),
    });
    expect(filling?.entries.map(({ name, slot }) => [name, slot.name])).toEqual([
      ['one', 'a'],
      ['three', 'b'],
      ['two', 'c'],
    ]);
    expect(
      fitVariables(named, { two: variable('body', { parameter_name: 'c', position: 1 }) }).problems,
    ).toEqual({ 'variables.two.position': 'the parameter of this name is number 2' });
  });
});
