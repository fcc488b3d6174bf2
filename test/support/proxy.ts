import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { checkout, temporaryFolder } from './npm-start.js';
import { freePort } from './server-process.js';
import { until } from './until.js';

const name = 'parley.example.com';

/** The address of the callers: not the proxy's, and on this machine. */
export const callerAddress = '127.0.0.2';

const toThisMachine: LookupFunction = (_name, { all }, done) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

/** The kinds of proxies that `ops/proxy` has a sample for. */
export const proxyKinds = ['nginx', 'caddy'] as const;
type ProxyKind = (typeof proxyKinds)[number];

/** A proxy that runs the sample of `ops/proxy`, with a port, a certificate and APIs of the test's own. */
export class Proxy {
  /** From another address than the proxy's own, as callers have. */
  readonly agent = new Agent({
    localAddress: callerAddress,
    connect: { rejectUnauthorized: false, lookup: toThisMachine },
  });
  /** What it has said. */
  output = '';

  private constructor(
    private readonly folder: string,
    private readonly process: ChildProcess,
    readonly url: string,
    /** Its own, which nobody trusts who is not told to. */
    readonly certificate: string,
  ) {
    process.stderr?.on('data', (text: Buffer) => {
      this.output += text.toString();
    });
  }

  /**
   * @param apis the addresses of the APIs behind it, one of which answers.
   * @param port where it takes calls over TLS.
   */
  static async start(kind: ProxyKind, apis: readonly string[], port?: number): Promise<Proxy> {
    const folder = temporaryFolder();
    const certificate = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`];
    const names = ['-addext', `subjectAltName=DNS:${name},DNS:localhost`];
    execFileSync('openssl', [...request, ...names, ...certificate], { stdio: 'ignore' });
    const ports = { secure: port ?? (await freePort()), plain: await freePort() };
    const hosts = apis.map((api) => new URL(api).host);
    const file = join(folder, 'proxy.conf');
    writeFileSync(file, configurations[kind](folder, ports, hosts));
    const child = spawn(kind, argumentsOf[kind](file), {
      stdio: ['ignore', 'ignore', 'pipe'],
      // Nothing of Caddy's may land in the home of who runs the tests.
      env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, XDG_DATA_HOME: folder },
    });
    const proxy = new Proxy(
      folder,
      child,
      `https://${name}:${ports.secure}`,
      join(folder, 'cert.pem'),
    );
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`${kind} ended:\n${proxy.output}`);
      return proxy.fetch('/health/live').then(
        ({ status }) => status === 200,
        () => false,
      );
    });
    return proxy;
  }

  /** `path` with everything behind it, over TLS. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(new URL(path, this.url), { ...init, dispatcher: this.agent });
  }

  async stop(): Promise<void> {
    await this.agent.close();
    const ended = new Promise((done) => this.process.once('close', done));
    if (this.process.exitCode === null) {
      this.process.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const argumentsOf: Record<ProxyKind, (file: string) => string[]> = {
  nginx: (file) => ['-c', file, '-g', 'daemon off;'],
  caddy: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
};

type Configuration = (
  folder: string,
  ports: { secure: number; plain: number },
  hosts: readonly string[],
) => string;

const sample = (file: string) => readFileSync(join(checkout, 'ops/proxy', file), 'utf8');

/** The samples with what differs here; everything else is as operators get it. */
const configurations: Record<ProxyKind, Configuration> = {
  nginx: (folder, { secure, plain }, hosts) => {
    const servers = hosts.map((host) => `server ${host} max_fails=0;`).join('\n');
    const site = sample('nginx.conf')
      .replace('server 127.0.0.1:3000 max_fails=0;', servers)
      .replaceAll('listen 80;', `listen 127.0.0.1:${plain};`)
      .replaceAll('listen 443 ssl http2;', `listen 127.0.0.1:${secure} ssl http2;`)
      .replaceAll(/listen \[::\].*\n/g, '')
      .replace(/ssl_certificate .+;/, `ssl_certificate ${folder}/cert.pem;`)
      .replace(/ssl_certificate_key .+;/, `ssl_certificate_key ${folder}/key.pem;`);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((place) => `${place}_temp_path ${folder}/${place};`)
      .join('\n');
    return `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${places}\n${site}\n}\n`;
  },
  caddy: (folder, { secure, plain }, hosts) => {
    const site = sample('Caddyfile')
      .replace(
        `{$DOMAIN:${name}} {`,
        `https://${name}:${secure} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
      )
      .replace('reverse_proxy {$UPSTREAM:127.0.0.1:3000}', `reverse_proxy ${hosts.join(' ')}`);
    return `{\n\tadmin off\n\thttp_port ${plain}\n\tauto_https disable_redirects\n}\n${site}`;
  },
};
