import { type Permission, permissions } from '../../src/access/permissions.js';
import { accountRoles, isAtLeast, type Role } from '../../src/access/signed-in-user.js';
import { nameOf, pathWith } from '../fuzz/routes.js';
import { dashboardBodies, mapping, otherBodies, sends } from '../fuzz/valid-bodies.js';
import { apiDocuments } from '../support/api-document.js';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard, newUser, password } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { type Answer, Stack } from '../support/stack.js';
import { sync } from '../support/templates.js';
import {
  addTenant,
  type Ids,
  kindOf,
  mark,
  rowsOf,
  strangersOf,
  type Tenant,
  tenantsPhone,
} from '../support/tenant.js';
import { until } from '../support/until.js';

/** An operation of the documents. The `x-` members come from what the guards read. */
interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly 'x-permissions'?: readonly Permission[] | null;
  readonly 'x-role'?: Role | 'anybody';
  readonly 'x-public'?: true;
}

const operations: readonly Operation[] = Object.values(apiDocuments).flatMap(({ paths }) =>
  Object.entries<Record<string, any>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      const parameters: any[] = operation.parameters ?? [];
      const query = parameters.filter((one) => one.in === 'query').map((one) => one.name);
      return {
        ...operation,
        name: nameOf({ method, path, hasBody: false, query }),
        method,
        path,
        query,
      };
    }),
  ),
);

const withKey = operations.filter((operation) => operation['x-permissions'] !== undefined);
const withRole = operations.filter((operation) => operation['x-role'] !== undefined);
const signedIn = withRole.filter((operation) => operation['x-role'] !== 'anybody');

/** What anybody may call, and what somebody without any secret is answered. A new one must be named here. */
const open: Readonly<Record<string, number>> = {
  'GET /api/v1/platform/whatsapp/webhooks': 403,
  'POST /api/v1/platform/whatsapp/webhooks': 401,
  'GET /api/v1/platform/whatsapp/webhooks/{account}': 403,
  'POST /api/v1/platform/whatsapp/webhooks/{account}': 401,
  'GET /clients/{client}/README.md': 200,
  'GET /docs': 200,
  'GET /docs/guides/{file}': 200,
  'GET /docs/{file}': 200,
  'GET /health/live': 200,
  'GET /health/ready': 200,
  'GET /llms.txt': 200,
  'GET /metrics': 200,
  'GET /openapi.dashboard.json': 200,
  'GET /openapi.json': 200,
};

const files: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/clients/{client}/README.md': { client: 'typescript' },
  '/docs/guides/{file}': { file: 'campaigns.md' },
  '/docs/{file}': { file: 'api.md' },
};

/** Signing in and out, the password and the second factor: they are about the caller alone. */
const isAboutOneself = ({ path }: Operation) =>
  /dashboard\/(sessions?(\/password)?|me\/totp(\/confirm)?)$/.test(path);

const hasId = ({ path }: Operation) => path.includes('{');
const isRead = ({ method }: Operation) => method === 'GET';

/** The permissions that the key needs; where it depends on the message, that of the tenant's. */
const permissionsOf = (operation: Operation): readonly Permission[] =>
  operation['x-permissions'] ?? ['send_text'];

/** A body that the operation takes. What it can name is what the ids say. */
function bodyOf({ name }: Operation, ids: Ids): object | undefined {
  const bodies: Readonly<Record<string, readonly object[]>> = {
    ...sends,
    ...otherBodies,
    ...dashboardBodies({
      keyId: ids.key ?? '',
      templateId: ids.template ?? '',
      userId: ids.user ?? '',
      accountId: ids.account ?? '',
    }),
    'POST /api/v1/external/messages/media': [
      { to: '+14155550123', type: 'document', media_id: ids.upload, filename: 'a.pdf' },
    ],
    'PATCH /api/v1/dashboard/users/{id}': [{ active: true }],
  };
  const [example] = bodies[name] ?? [];
  if (!example) return undefined;
  const body: Record<string, unknown> = { ...example };
  for (const member of ['message_id', 'reply_to']) if (member in body) body[member] = ids.wamid;
  if (/\/simulator\/(inbound|echoes|number|user)/.test(name)) body.phone_number_id = ids.number;
  return body;
}

/** The members of a query that name something, and those that must be there. */
function queryOf({ query }: Operation, ids: Ids): string {
  const values: Readonly<Record<string, string | undefined>> = {
    account_id: ids.account,
    key_id: ids.key,
    user_id: query.includes('action') ? ids.user : undefined,
    subject_id: ids.key,
    endpoint_id: ids.endpoint,
    message_id: query.includes('endpoint_id') ? ids.message : undefined,
    phone_number_id: ids.number,
    phone: tenantsPhone,
    q: ids.message,
  };
  const named = query.flatMap((name): [string, string][] => {
    const value = values[name];
    return value === undefined ? [] : [[name, value]];
  });
  return new URLSearchParams(named).toString();
}

/** A file for the operation that takes a form. */
const form = {
  headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
  body: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\n\r\n--b--\r\n',
};

type Headers = Readonly<Record<string, string>>;

describe('access to every operation', () => {
  let stack: Stack;
  let operator: Dashboard;
  /** Whose things the others ask for. */
  let tenant: Tenant;
  let unknown: Ids;
  /** Users of another account, by role. */
  const strangers = new Map<Role, Dashboard>();
  /** Keys of the tenant that have all permissions but one. */
  const lacking = new Map<Permission, string>();
  let before: Record<string, string>;
  let lastEntry: string;

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
    await sync(operator);
    strangers.set(
      'administrator',
      await Dashboard.administratorOf(stack, operator, installation.accountId),
    );
    strangers.set('viewer', await Dashboard.viewerOf(stack, operator, installation.accountId));
    tenant = await addTenant(stack, operator, mapping);
    unknown = strangersOf(tenant.ids);
    const accountId = tenant.ids.account ?? '';
    for (const permission of permissions) {
      const others = permissions.filter((one) => one !== permission);
      lacking.set(permission, (await addApiKey(stack, { accountId, permissions: others })).key);
    }
    await stack.sql('update api_keys set event_feed = true where account_id in ($1, $2)', [
      accountId,
      installation.accountId,
    ]);
    await until(async () => (await stack.sql('select from open_events')).length === 0);
    before = await rowsOf(stack, accountId);
    const [entry] = await stack.sql('select id from audit_log order by id desc limit 1');
    lastEntry = entry.id;
  });

  afterAll(() => stack?.stop());

  function call(
    operation: Operation,
    headers: Headers,
    ids: Ids,
    query = queryOf(operation, ids),
  ): Promise<Answer> {
    const { method, path } = operation;
    const kinds = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const values = kinds.map((name) => [name, ids[kindOf(path, name)] ?? '']);
    const isForm = operation.name === 'POST /api/v1/external/media';
    const body = isForm ? form.body : bodyOf(operation, ids);
    return stack.requestAt(
      pathWith(path, files[path] ?? Object.fromEntries(values)) + (query && `?${query}`),
      {
        apiKey: null,
        method,
        ...(body !== undefined && { body }),
        headers: { ...(isForm && form.headers), Prefer: 'respond-async', ...headers },
      },
    );
  }

  const result = ({ status, body }: Answer) => [status, body?.error?.code];
  const cookieOf = (user?: Dashboard): Headers => ({ Cookie: user?.cookie ?? '' });
  const keyOf = (key?: string): Headers => ({ 'X-API-Key': key ?? '' });

  /** An answer without what differs each time, and without the ids that were asked for. */
  function comparable({ status, text }: Answer, ids: Ids): string {
    const plain = text
      .replace(/"request_id":"req_[^"]*"/, '')
      .replace(/"rate_limit":\{[^}]*\}/, '');
    return `${status} ${Object.entries(ids).reduce(
      (left, [kind, id]) => left.replaceAll(id, `<${kind}>`),
      plain,
    )}`;
  }

  /**
   * What the tenant has is not there for somebody else: the answer is the same as to ids that nobody has, and tells
   * nothing of the tenant. Where the operation is about one object, it is 404.
   */
  async function expectNothingThere(operation: Operation, headers: Headers): Promise<void> {
    const theirs = await call(operation, headers, tenant.ids);
    const nobodys = await call(operation, headers, unknown);
    expect(theirs.status).toBe(nobodys.status);
    if (theirs.status >= 400) {
      expect(comparable(theirs, tenant.ids)).toBe(comparable(nobodys, unknown));
    }
    expect([401, 403]).not.toContain(theirs.status);
    if (hasId(operation)) expect(theirs.status).toBe(404);
    // An answer may repeat what the request itself said.
    const asked = JSON.stringify([bodyOf(operation, tenant.ids), queryOf(operation, tenant.ids)]);
    for (const text of [
      theirs.text,
      isRead(operation) ? (await bare(operation, headers)).text : '',
    ]) {
      const told = [mark, ...Object.values(tenant.ids)].filter(
        (word) => text.includes(word) && !asked.includes(word),
      );
      expect(told).toEqual([]);
    }
  }

  /** The operation without its filters: a list has all of one's own. */
  const bare = (operation: Operation, headers: Headers) =>
    call(operation, headers, tenant.ids, operation.query.includes('q') ? `q=${mark}` : '');

  it('is declared for every operation in one way', () => {
    const ways = ['x-permissions', 'x-role', 'x-public'] as const;
    const unclear = operations.filter(
      (operation) => ways.filter((way) => operation[way] !== undefined).length !== 1,
    );
    expect(unclear.map(({ name }) => name)).toEqual([]);
    const free = operations.filter((operation) => operation['x-public']);
    expect(free.map(({ name }) => name).toSorted()).toEqual(Object.keys(open).toSorted());
  });

  it.each(operations.filter((operation) => operation['x-public']))(
    'needs nothing, and without a secret answers what it should: $name',
    async (operation) => {
      const hub = 'hub.mode=subscribe&hub.challenge=1&hub.verify_token=wrong';
      const isPlatform = operation.path.includes('/platform/');
      const answer = await stack.requestAt(
        `${pathWith(operation.path, files[operation.path] ?? { account: tenant.ids.account ?? '' })}${isPlatform && isRead(operation) ? `?${hub}` : ''}`,
        { apiKey: null, method: operation.method, ...(!isRead(operation) && { body: {} }) },
      );
      expect(answer.status).toBe(open[operation.name]);
      expect(answer.text).not.toContain(mark);
    },
  );

  // First: the answers to keys tell what these have sent, ids of the tenant among it.
  describe.each(withRole)('$name', (operation) => {
    const role = operation['x-role'] ?? 'anybody';

    if (role !== 'anybody') {
      it('is refused without a session, and with an API key', async () => {
        for (const headers of [{}, keyOf(tenant.apiKey)]) {
          const answer = await call(operation, headers, tenant.ids);
          expect(result(answer)).toEqual([401, 'UNAUTHENTICATED']);
        }
      });

      const lower = accountRoles.filter((one) => !isAtLeast(one, role));

      it(`is refused to users of the account with a lower role: ${lower.join(', ') || 'none'}`, async () => {
        for (const one of lower) {
          const user = one === 'viewer' ? tenant.viewer : tenant.administrator;
          const answer = await call(operation, cookieOf(user), tenant.ids);
          expect(result(answer)).toEqual([403, 'FORBIDDEN']);
        }
      });

      if (role !== 'operator' && !isAboutOneself(operation)) {
        const able = accountRoles.filter((one) => isAtLeast(one, role));

        it(`has nothing for users of another account: ${able.join(', ')}`, async () => {
          for (const one of able) {
            const headers = cookieOf(strangers.get(one));
            await expectNothingThere(operation, headers);
            if (!operation.query.includes('account_id')) continue;
            const { account } = tenant.ids;
            const query = queryOf(operation, { account: account ?? '', message: account ?? '' });
            const answer = await call(operation, headers, tenant.ids, query);
            expect(result(answer)).toEqual([404, 'NOT_FOUND']);
          }
        });
      }
    }

    if (!isRead(operation)) {
      it('is refused to a page of another origin', async () => {
        const headers = { ...cookieOf(operator), Origin: 'https://evil.example' };
        expect(result(await call(operation, headers, tenant.ids))).toEqual([403, 'FORBIDDEN']);
      });
    }
  });

  describe.each(withKey)('$name', (operation) => {
    it('is refused without a key, and to users of the dashboard', async () => {
      for (const headers of [{}, cookieOf(operator)]) {
        const answer = await call(operation, headers, tenant.ids);
        expect(result(answer)).toEqual([401, 'INVALID_API_KEY']);
      }
    });

    it('is refused to a key of the account that has all permissions but the one', async () => {
      for (const permission of permissionsOf(operation)) {
        const answer = await call(operation, keyOf(lacking.get(permission)), tenant.ids);
        expect(result(answer)).toEqual([403, 'PERMISSION_DENIED']);
        expect(answer.body.error.details).toEqual({ permission });
      }
    });

    it('has nothing for a key of another account, and for one of the other mode', async () => {
      const needed = { permissions: [...permissionsOf(operation)] };
      const ofOtherAccount = await addApiKey(stack, needed);
      const ofOtherMode = await addApiKey(stack, {
        ...needed,
        accountId: tenant.ids.account ?? '',
        mode: 'test',
      });
      for (const { key } of [ofOtherAccount, ofOtherMode]) {
        await expectNothingThere(operation, keyOf(key));
      }
    });
  });

  it.each(signedIn.filter(isAboutOneself))(
    'is about the caller alone: $name',
    async (operation) => {
      const given = newUser({ role: 'viewer', account_id: installation.accountId });
      await operator.get('POST', '/users', given);
      const user = await Dashboard.signIn(stack, String(given.email), password);
      const { status } = await call(operation, cookieOf(user), tenant.ids);
      expect([200, 400, 409]).toContain(status);
    },
  );

  it('has changed nothing of the account', async () => {
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['messages', 'api_keys', 'sessions']),
    );
    expect(await rowsOf(stack, tenant.ids.account ?? '')).toEqual(before);
  });

  it('has entered nothing in the audit log of the account but what its own test keys did', async () => {
    const entries = await stack.sql(
      `select * from audit_log where account_id = $1 and id > $2
         and not exists (select from api_keys where id = subject_id and mode = 'test')`,
      [tenant.ids.account, lastEntry],
    );
    expect(entries).toEqual([]);
  });

  /** Reads first, then changes, then what ends something; the innermost thing first. */
  const rank = ({ method, path }: Operation) => {
    if (method === 'GET') return 0;
    if (method === 'DELETE') return 100 - path.split('/').length;
    return /\/(cancel|revoke|suspend)$/.test(path) ? 2 : 1;
  };
  const inOrder = (some: readonly Operation[]) =>
    some.filter(hasId).toSorted((one, other) => rank(one) - rank(other));

  it.each([...inOrder(withKey), ...inOrder(signedIn)])(
    'has the same thing for those who may: $name',
    async (operation) => {
      const { administrator, viewer } = tenant;
      const users: Readonly<Record<string, Dashboard>> = { operator, administrator, viewer };
      const headers =
        operation['x-permissions'] === undefined
          ? cookieOf(users[operation['x-role'] ?? ''])
          : keyOf(tenant.apiKey);
      const malformed = Object.fromEntries(
        Object.keys(tenant.ids).map((kind) => [kind, 'no-uuid']),
      );
      expect((await call(operation, headers, malformed, '')).status).toBe(404);
      const answer = await call(operation, headers, tenant.ids);
      expect([401, 403, 404, 500]).not.toContain(answer.status);
    },
  );
});
