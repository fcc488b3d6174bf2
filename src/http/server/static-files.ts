import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

const compressible = new Set(['.css', '.js', '.json', '.svg']);
const compress = promisify(gzip);

/** Small files in memory: a path that a browser asks for never becomes a path on the disk. */
export class StaticFiles {
  private readonly compressed = new Map<string, Promise<Buffer>>();

  /** @param files by the names under which they are sent. */
  constructor(private readonly files: ReadonlyMap<string, Buffer>) {}

  /** Reads a folder with all below it. */
  static readFolder(folder: string): StaticFiles {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    return new StaticFiles(
      new Map(
        paths.map((path) => [
          path.slice(folder.length + 1).replaceAll('\\', '/'),
          readFileSync(path),
        ]),
      ),
    );
  }

  has(name: string): boolean {
    return this.files.has(name);
  }

  /** Sends a file, compressed if the caller takes that. @throws Error when there is none of this name */
  async sendFile(
    name: string,
    { headers }: FastifyRequest,
    reply: FastifyReply,
    cacheControl: string,
  ): Promise<void> {
    const file = this.files.get(name);
    if (!file) throw new Error(`there is no file ${name}`);
    const extension = extname(name);
    void reply
      .header('content-type', mediaTypes[extension] ?? 'application/octet-stream')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', cacheControl);
    if (!compressible.has(extension)) return void reply.send(file);
    void reply.header('vary', 'accept-encoding');
    if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return void reply.send(file);
    const small = this.compressed.get(name) ?? compress(file, { level: 9 });
    this.compressed.set(name, small);
    void reply.header('content-encoding', 'gzip').send(await small);
  }
}
