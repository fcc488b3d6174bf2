import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { KeyWatch } from './keys-in-texts.js';

/** A span as it came over OTLP/HTTP. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2: an error. */
  readonly status: number;
}

/** A collector of traces: takes what processes hand over, and keeps it. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** Paths of the requests that came. */
  readonly paths: string[] = [];
  private readonly keys = new KeyWatch();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response) => {
      collector.paths.push(request.url ?? '');
      void collector
        .take(request)
        .then(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return collector;
  }

  private async take(request: IncomingMessage): Promise<void> {
    const body = await text(request);
    this.keys.read(body);
    this.spans.push(...spansOf(JSON.parse(body)));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  of(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  /** @throws Error if a whole API key stood in a trace. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
    this.keys.end('a trace');
  }
}

function spansOf(body: any): CollectedSpan[] {
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        service: attributesOf(resource.attributes)['service.name'],
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        attributes: attributesOf(span.attributes),
        status: span.status.code,
      })),
    ),
  );
}

function attributesOf(list: { key: string; value: object }[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}
