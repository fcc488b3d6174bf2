import { SimulatorUnderTest } from '../../libs/simulator/spec-support.js';
import { Dashboard } from '../support/dashboard.js';
import { GraphProgram } from '../support/graph.js';
import { Stack } from '../support/stack.js';
import { sync } from '../support/templates.js';

/*
 * What the platform takes and refuses, asked through Parley: the specifications of the simulator are played once more.
 * What Parley refuses by itself never comes to the platform, which must refuse it as well.
 */
let stack: Stack;
const stricter: unknown[] = [];

beforeAll(async () => {
  stack = await Stack.start();
  await sync(await Dashboard.signIn(stack));
  const program = await GraphProgram.with(stack);
  SimulatorUnderTest.standIn = async (body, send) => {
    const { status, headers, text, body: json } = await program.send(body);
    const details: unknown = json?.error?.error_data?.details;
    const isOwn = typeof details === 'string' && /^[A-Z_]+: /.test(details);
    if (!isOwn) return { http: status, headers, text, json };
    const direct = await send();
    if (direct.http === 200) stricter.push(body);
    return direct;
  };
});

afterAll(async () => {
  SimulatorUnderTest.standIn = null;
  await stack?.stop();
  // A user id in `to`: WhatsApp sends the message to its digits, and it is lost.
  expect(stricter).toEqual([expect.objectContaining({ to: 'US.13491208655302741918' })]);
});

await import('../../libs/simulator/send-validation.spec.js');
await import('../../libs/simulator/interactive-validation.spec.js');
