import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from './accepted-encoding.js';

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

const compressible = new Set(['.css', '.js', '.json', '.md', '.svg', '.txt']);
const compress = promisify(gzip);

/** The files that the build puts next to a file, by their encoding; see web/vite.config.ts. */
const builtEndings = { br: '.br', gzip: '.gz' } as const;

const isBuilt = (name: string) => Object.values(builtEndings).some((end) => name.endsWith(end));

/** Small files in memory: a path that a browser asks for never becomes a path on the disk. */
export class StaticFiles {
  private readonly compressed = new Map<string, Promise<Buffer>>();
  private readonly tags = new Map<string, string>();

  /**
   * @param files by the names under which they are sent. `name.br` and `name.gz` are the same file
   *   in another encoding.
   */
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
    return this.files.has(name) && !isBuilt(name);
  }

  /**
   * Sends a file in the best encoding that the caller takes, or 304 if the caller has it.
   *
   * @throws Error when there is none of this name
   */
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
    let encoding: keyof typeof builtEndings | null = null;
    if (compressible.has(extension)) {
      void reply.header('vary', 'accept-encoding');
      const hasBrotli = this.files.has(name + builtEndings.br);
      encoding = encodingFor(headers['accept-encoding'], hasBrotli ? ['br', 'gzip'] : ['gzip']);
    }
    const tag = `"${this.tagOf(name, file)}-${encoding ?? 'whole'}"`;
    void reply.header('etag', tag);
    if (namesTag(headers['if-none-match'], tag)) return void reply.status(304).send();
    if (encoding === null) return void reply.send(file);
    const small = this.files.get(name + builtEndings[encoding]) ?? (await this.gzipped(name, file));
    void reply.header('content-encoding', encoding).send(small);
  }

  /** For files that no build has compressed. */
  private gzipped(name: string, file: Buffer): Promise<Buffer> {
    const small = this.compressed.get(name) ?? compress(file, { level: 9 });
    this.compressed.set(name, small);
    return small;
  }

  private tagOf(name: string, file: Buffer): string {
    const tag =
      this.tags.get(name) ?? createHash('sha256').update(file).digest('base64url').slice(0, 22);
    this.tags.set(name, tag);
    return tag;
  }
}

/** Whether `If-None-Match` has the tag. A proxy that compresses marks it as weak. */
function namesTag(header: string | undefined, tag: string): boolean {
  const named = header?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? [];
  return named.includes(tag) || named.includes('*');
}
