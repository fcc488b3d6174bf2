import { stores } from '../support/installation.js';
import { buttonMessage, listMessage, Stack } from '../support/stack.js';

describe.each(stores)('a send over %s', (store) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ store });
  });

  afterAll(() => stack?.stop());

  it.each([
    ['list', listMessage()],
    ['button', buttonMessage()],
  ] as const)('of a %s is answered with the platform’s word', async (type, message) => {
    const { status, headers, body } = await stack.send(type, message);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: { message_id: expect.any(String), status: 'sent' },
        meta: {
          request_id: headers.get('x-request-id'),
          rate_limit: {
            limit: 1_000_000,
            remaining: expect.any(Number),
            reset_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/),
          },
        },
      },
    });
    expect(await stack.tries(body.data.message_id)).toHaveLength(1);
  });
});
