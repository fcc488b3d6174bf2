import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Dashboard } from '../support/dashboard.js';
import { installation, stores } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { sync } from '../support/templates.js';
import { addTenant, type Ids, kindOf, mark, rowsOf, strangersOf } from '../support/tenant.js';
import { until } from '../support/until.js';
import { type Call, type CallAnswer, Caller, describeCall } from './answers.js';
import { isDashboard, isExternal, nameOf, pathWith, type Route, routes } from './routes.js';
import { inGroups, report, runs } from './runs.js';
import { dashboardBodies, mapping, sends } from './valid-bodies.js';

/**
 * Signing out and changing the password take no id, and would end the session of this test. Links to a new password and
 * second factors take none either; they are limited by address, and each call computes a password's digest.
 */
const isAboutOneself = ({ path }: Route) =>
  /dashboard\/(sessions?(\/password)?|password-reset|me\/totp(\/confirm)?)$/.test(path);

const tried = routes.filter(
  (route) => (isExternal(route) || isDashboard(route)) && !isAboutOneself(route),
);

describe('an account', () => {
  let stack: Stack;
  let caller: Caller;
  let administrator: Dashboard;
  let neighbours: Ids;
  let nobodys: Ids;

  beforeAll(async () => {
    stack = await Stack.start({
      store: stores.at(-1),
      env: { WEBHOOK_RETRY_SECONDS: '86400', LOG_LEVEL: 'warn' },
    });
    caller = new Caller(stack.apis[0]?.url ?? '');
    const operator = await Dashboard.signIn(stack);
    await sync(operator);
    administrator = await Dashboard.administratorOf(stack, operator, installation.accountId);
    await administrator.newKey({ name: 'own' });
    ({ ids: neighbours } = await addTenant(stack, operator, mapping));
    nobodys = strangersOf(neighbours);
    // A delivery that fails stays as it is for the length of the suite.
    await until(async () => {
      const open = await stack.sql('select attempts from open_events');
      return open.length > 0 && open.every(({ attempts }) => attempts > 0);
    });
  });

  afterAll(async () => {
    await caller?.close();
    await stack?.stop();
  });

  /** One call in two forms: about the neighbour's objects, and about unknown ones. */
  function pairs(): fc.Arbitrary<readonly [foreign: Call, unknown: Call]> {
    const kinds = Object.keys(neighbours);
    const bodies = {
      ...sends,
      ...dashboardBodies({
        keyId: 'key',
        templateId: 'template',
        userId: 'user',
        accountId: 'account',
      }),
    };
    return fc
      .record({
        route: fc.constantFrom(...tried),
        // Mostly what the place asks for; sometimes the id of something else.
        kind: fc.oneof(
          { weight: 3, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.constantFrom(...kinds) },
        ),
        query: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...kinds)), { maxLength: 3 }),
        example: fc.nat(10),
        members: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...kinds)), { maxLength: 2 }),
      })
      .map(({ route, kind, query, example, members }) => {
        const call = (ids: Ids): Call => {
          const path = pathWith(
            route.path,
            new Proxy({}, { get: (_, name) => ids[kind ?? kindOf(route.path, String(name))] }),
          );
          const search = new URLSearchParams();
          for (const [index, of] of query) {
            const name = route.query[index];
            if (name !== undefined) search.append(name, ids[named(name) ?? of] ?? '');
          }
          const examples = bodies[nameOf(route)] ?? [];
          const chosen = examples[example % Math.max(1, examples.length)];
          return {
            method: route.method,
            path: search.size > 0 ? `${path}?${search.toString()}` : path,
            headers: {
              ...(isExternal(route)
                ? { 'x-api-key': installation.apiKey, prefer: 'respond-async' }
                : { cookie: administrator.cookie ?? '' }),
              ...(chosen && { 'content-type': 'application/json' }),
            },
            body: chosen ? Buffer.from(JSON.stringify(bodyWith(chosen, ids, members))) : null,
          };
        };
        return [call(neighbours), call(nobodys)] as const;
      });
  }

  it('has nothing of its neighbour: no row, no change, and no answer that distinguishes a foreign id from an unknown one', async () => {
    const statuses = new Map<number, number>();
    let before = await rowsOf(stack, neighbours.account ?? '');
    await inGroups(runs / 2, pairs(), async (group) => {
      const answers = await Promise.all(
        group.map(([foreign, unknown]) =>
          Promise.all([caller.call(foreign), caller.call(unknown)] as const),
        ),
      );
      for (const [foreign] of group) noteWords(foreign);
      for (const [index, [ofForeign, ofUnknown]] of answers.entries()) {
        const [foreign, unknown] = group[index] ?? [];
        if (!foreign || !unknown) continue;
        for (const { status } of [ofForeign, ofUnknown]) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        const fault = leakOf(foreign, ofForeign) ?? differenceOf(ofForeign, ofUnknown);
        if (fault) {
          const both = [describeCall(foreign, ofForeign), describeCall(unknown, ofUnknown)];
          throw new Error(`${fault}:\n${both.join('\n\n')}`);
        }
      }
      const after = await rowsOf(stack, neighbours.account ?? '');
      const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
      if (changed.length > 0) {
        const calls = group.map(([{ method, path }]) => `${method} ${path}`).join('\n');
        throw new Error(`one of these changed the neighbour's ${changed.join(', ')}:\n${calls}`);
      }
      before = after;
    });
    const told = [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${count} × ${status}`);
    report(`${tried.length} routes, calls about a neighbour's things: ${told.join(', ')}`);
  });

  /** Ids of the neighbour's that calls have written into messages and names of their own account. */
  const written = new Set<string>();

  function noteWords({ body }: Call): void {
    const text = body?.toString() ?? '';
    for (const id of Object.values(neighbours)) if (text.includes(id)) written.add(id);
  }

  /** What an answer reveals about the neighbour; calls never contain the mark. */
  function leakOf(call: Call, { text }: CallAnswer): string | null {
    const known = [mark, ...Object.values(neighbours)];
    const leak = known.find(
      (word) => text.includes(word) && !call.path.includes(word) && !written.has(word),
    );
    return leak === undefined ? null : `an answer tells ${leak}`;
  }

  function differenceOf(foreign: CallAnswer, unknown: CallAnswer): string | null {
    if (foreign.status !== unknown.status) return 'a foreign id gets another status';
    // Counts and times of one's own things, which change meanwhile; the neighbour's were checked above.
    if (foreign.body?.success && unknown.body?.success) return null;
    return comparable(foreign.text, neighbours) === comparable(unknown.text, nobodys)
      ? null
      : 'a foreign id gets another answer';
  }
});

/** The kind of id that a parameter of a query asks for. */
function named(parameter: string): string | null {
  return (
    { account_id: 'account', key_id: 'key', user_id: 'user', subject_id: 'key' }[parameter] ?? null
  );
}

/** The members of a body that name something, as the neighbour's or as unknown ones. */
function bodyWith(example: object, ids: Ids, members: readonly (readonly [number, string])[]) {
  const body: Record<string, unknown> = { ...example };
  for (const [name, kind] of [
    ['account_id', 'account'],
    ['api_key_id', 'key'],
    ['reply_to', 'message'],
    ['phone_number_id', 'number'],
  ] as const) {
    if (name in body) body[name] = ids[kind];
  }
  if ('text' in body && 'from' in body) body.phone_number_id = ids.number;
  if ('name' in body) body.name = randomUUID();
  const names = Object.keys(body);
  for (const [index, kind] of members) {
    const name = names[index];
    if (name !== undefined) body[name] = ids[kind];
  }
  return body;
}

/** An answer without what differs each time, and without the ids that were asked for. */
function comparable(text: string, ids: Ids): string {
  let plain = text
    // Not the field of the same name.
    .replace(/"request_id":"req_[^"]*"/, '')
    .replace(/"rate_limit":\{[^}]*\}/, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
  for (const [kind, id] of Object.entries(ids)) plain = plain.replaceAll(id, `<${kind}>`);
  return plain;
}
