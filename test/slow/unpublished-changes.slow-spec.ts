import { Dashboard } from '../support/dashboard.js';
import { hasRedis, startRedis } from '../support/redis.mjs';
import { Stack } from '../support/stack.js';

const ownRedis = hasRedis() ? describe : describe.skip;

ownRedis('a change that cannot be made known everywhere', () => {
  it('is stored, and says that it is not yet known everywhere', async () => {
    const redis = await startRedis();
    const stack = await Stack.start({ workers: 0, redisUrl: redis.url });
    try {
      const operator = await Dashboard.signIn(stack);
      const { api_key } = await operator.newKey();
      await redis.stop('SIGKILL');
      const { status, body } = await operator.call('POST', `/api-keys/${api_key.id}/revoke`);
      expect({ status, error: body.error }).toMatchObject({
        status: 503,
        error: { code: 'SERVICE_UNAVAILABLE', details: { reason: 'not_published' } },
      });
      const { api_key: after } = await operator.get('GET', `/api-keys/${api_key.id}`);
      expect(after.state).toBe('revoked');
      // What is shown once must not be lost to an answer that cannot show it.
      const { api_key: other, key } = await operator.newKey();
      for (const action of ['rotate', 'signing-secret/rotate', 'webhook/rotate-secret']) {
        const refused = await operator.call('POST', `/api-keys/${other.id}/${action}`);
        expect({ status: refused.status, error: refused.body.error }).toMatchObject({
          status: 503,
          error: { code: 'SERVICE_UNAVAILABLE', details: { reason: 'not_changed' } },
        });
      }
      expect((await stack.get('/messages', { apiKey: key })).status).toBe(200);
      // No process can have cached a new key, so there is nothing to publish.
      await operator.newKey();
    } finally {
      await stack.stop();
      await redis.stop('SIGKILL');
    }
  });
});
