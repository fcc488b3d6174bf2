import { StartError } from './console.js';
import type { PortName } from './ports.js';
import type { Operator, Secrets } from './secrets.js';

const platformVersion = 'v25.0';
const defaultAdminEmail = 'admin@parley.local';

export type Environment = Readonly<Record<string, string | undefined>>;
type Ports = Record<PortName, number>;
/** What a process is started with. */
export type ChildEnvironment = Environment & Readonly<{ DATA_DIR: string }>;
export type Addresses = ReturnType<typeof addressesOf>;

/**
 * The addresses of the three processes, from this machine and from outside.
 *
 * @throws StartError when PUBLIC_URL is not an address.
 */
export function addressesOf(env: Environment, host: string, ports: Ports) {
  const local = (port: number) => `http://${bracketed(reachable(host))}:${port}`;
  const api = env.PUBLIC_URL ? originOf(env.PUBLIC_URL) : `http://${bracketed(host)}:${ports.PORT}`;
  return {
    api,
    dashboard: `${api}/dashboard`,
    localApi: local(ports.PORT),
    localWorker: local(ports.WORKER_PORT),
    simulator: local(ports.SIMULATOR_PORT),
  };
}

/** The first operator: as stored once there is one, else from the environment, else ours. */
export function operatorOf(env: Environment, secrets: Secrets): Operator {
  return (
    secrets.operator ?? {
      email: env.ADMIN_EMAIL || defaultAdminEmail,
      password: env.ADMIN_PASSWORD || secrets.admin_password,
    }
  );
}

/** What the API, the worker and the simulator are started with: everything of ours, gaps filled. */
export function childEnvironment(
  env: Environment,
  facts: {
    host: string;
    ports: Ports;
    addresses: Addresses;
    dataDirectory: string;
    databaseUrl: string;
    secrets: Secrets;
  },
): ChildEnvironment {
  const { host, ports, addresses, dataDirectory, databaseUrl, secrets } = facts;
  const operator = operatorOf(env, secrets);
  const defaults = {
    SECRET_KEY: secrets.secret_key,
    PLATFORM_VERIFY_TOKEN: secrets.platform_verify_token,
    PLATFORM_BASE_URL: `${addresses.simulator}/${platformVersion}`,
    SIMULATOR_URL: addresses.simulator,
    SIMULATOR_APP_SECRET: secrets.simulator_app_secret,
    SIMULATOR_WEBHOOK_URL: `${addresses.localApi}/api/v1/platform/whatsapp/webhooks`,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  const filled = Object.entries(defaults).map(([name, value]) => [name, env[name] || value]);
  return {
    ...env,
    ...Object.fromEntries(filled),
    HOST: host,
    PORT: String(ports.PORT),
    WORKER_PORT: String(ports.WORKER_PORT),
    SIMULATOR_PORT: String(ports.SIMULATOR_PORT),
    DATA_DIR: dataDirectory,
    DATABASE_URL: databaseUrl,
    ADMIN_EMAIL: operator.email,
    ADMIN_PASSWORD: operator.password,
  };
}

/** An address that a client on this machine can use for a server that listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function originOf(publicUrl: string): string {
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new StartError(`PUBLIC_URL is "${publicUrl}"; it takes an http or https address.`);
  }
  return url.origin;
}
