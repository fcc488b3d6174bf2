import {
  classify,
  findErrorFacts,
  type Handling,
  type PlatformError,
  platformErrors,
} from './errors.js';

const error = (facts: Partial<PlatformError>): PlatformError => ({
  code: 999_999,
  message: '',
  type: null,
  subcode: null,
  details: null,
  isTransient: null,
  fbtraceId: null,
  ...facts,
});

describe('a refusal', () => {
  it.each<[number, Handling, boolean]>([
    [131047, 'fail', false],
    [130472, 'fail', false],
    [131051, 'fail', false],
    [131052, 'fail', false],
    [131026, 'fail', false],
    [80007, 'throttle', true],
    [368, 'pause', false],
  ])('with code %i means %s, retryable: %s', (code, handling, retryable) => {
    expect(classify(error({ code }), 400)).toMatchObject({ handling, retryable });
  });

  it.each([
    0, 3, 10, 33, 104, 190, 200, 250, 299, 131005, 131031, 131037, 131042, 131045, 131048, 131064,
    133010, 133016, 134011,
  ])('with code %i pauses the number and may be sent later', (code) => {
    expect(classify(error({ code }), 400)).toMatchObject({ handling: 'pause', retryable: true });
  });

  it('pauses the number until a report where reading the number and a 200 prove nothing', () => {
    const codes = [...platformErrors].filter(([, { untilReport }]) => untilReport);
    expect(codes.map(([code]) => code)).toEqual([131048, 131064, 131037, 131042]);
  });

  it.each([4, 613, 80007, 130429])('with code %i throttles the number', (code) => {
    expect(classify(error({ code }), 400)).toMatchObject({ handling: 'throttle', retryable: true });
  });

  it('with code 131056 delays its recipient only', () => {
    const { handling, scope } = classify(error({ code: 131056 }), 400);
    expect([handling, scope]).toEqual(['throttle_recipient', 'recipient']);
  });

  it.each([
    [1, 2],
    [2, null],
    [131000, null],
    [131016, null],
    [131057, null],
    [2494100, null],
    [133004, null],
    [131053, 2],
  ])('with code %i is tried again, at most %s times', (code, maxRetries) => {
    const expected = { handling: 'retry', retryable: true, maxRetries };
    expect(classify(error({ code }), 400)).toMatchObject(expected);
  });

  it('with code 139200 ends that message alone', () => {
    const { handling, scope, retryable } = classify(error({ code: 139200 }), 400);
    expect([handling, scope, retryable]).toEqual(['fail', 'message', false]);
  });

  it('with code 2494100 means what 131057 means', () => {
    expect(platformErrors.get(2494100)).toEqual(platformErrors.get(131057));
  });

  it('with code 100 is the fault of the message', () => {
    expect(classify(error({ code: 100 }), 400).handling).toBe('fail');
  });

  it('with code 100 and subcode 33 pauses the number', () => {
    expect(classify(error({ code: 100, subcode: 33 }), 400).handling).toBe('pause');
  });

  it.each([400, 403, 429, 500])('with a known code means the same under HTTP %i', (httpStatus) => {
    expect(classify(error({ code: 130429 }), httpStatus).handling).toBe('throttle');
    expect(classify(error({ code: 131009 }), httpStatus).handling).toBe('fail');
  });
});

describe('a refusal with an unknown code', () => {
  it.each<[string, boolean | null, number, Handling]>([
    ['that Graph calls transient', true, 400, 'retry'],
    ['that Graph calls lasting, with HTTP 500', false, 500, 'retry'],
    ['with HTTP 503', null, 503, 'retry'],
    ['with HTTP 429', null, 429, 'throttle'],
    ['with HTTP 400', null, 400, 'fail'],
    ['that Graph calls lasting, with HTTP 400', false, 400, 'fail'],
  ])('%s is judged by %s and HTTP %i: %s', (_name, isTransient, httpStatus, handling) => {
    expect(classify(error({ isTransient }), httpStatus).handling).toBe(handling);
  });

  it('is not in the table', () => {
    expect(findErrorFacts(error({}))).toBeNull();
  });
});

describe('the error table', () => {
  it.each([131026, 131047, 131049, 131050, 130472, 131043])(
    'says that %i follows an accepted send by webhook',
    (code) => {
      expect(platformErrors.get(code)?.arrives).toBe('notification');
    },
  );

  it('marks everything that a sender waits for as retryable, except 368', () => {
    const lasting = [...platformErrors]
      .filter(([, facts]) => facts.handling !== 'fail' && !facts.retryable)
      .map(([code]) => code);
    expect(lasting).toEqual([368]);
  });

  it('has no row inside the range of permissions', () => {
    expect([...platformErrors.keys()].filter((code) => code >= 200 && code <= 299)).toEqual([]);
  });
});
