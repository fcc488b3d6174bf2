/** What a span has in addition to its times. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** The relation of a span to the other side: it serves, takes from a queue, or calls. */
export type SpanKind = 'server' | 'consumer' | 'client';

/** A piece of work, as a trace shows it. */
export interface Span {
  /** W3C trace context of this span: for the row, the request or the span that the work leads to. */
  readonly traceparent: string;
  /** For the log, so that its lines and the trace find each other. */
  readonly traceId: string;
  /** @param failure what went wrong; absent where nothing did. */
  end(attributes: Attributes, failure?: string): void;
}

/** How a span begins. */
export interface SpanStart {
  readonly kind: SpanKind;
  /** The trace context that it continues; null begins a trace. */
  readonly parent: string | null;
  readonly attributes?: Attributes;
}

/** Traces of what happens to requests and messages, across processes. */
export abstract class Tracing {
  abstract readonly isOn: boolean;

  /** @returns null where this is not traced. */
  abstract start(name: string, start: SpanStart): Span | null;

  /** Hands over what is not handed over yet. Never rejects. */
  abstract close(): Promise<void>;
}

/** No traces, at no cost. */
export class NoTracing extends Tracing {
  readonly isOn = false;

  start(): null {
    return null;
  }

  async close(): Promise<void> {
    // Nothing was collected.
  }
}
