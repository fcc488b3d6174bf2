import {
  SpanKind as Kind,
  type Span as RecordedSpan,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type Attributes, type Span, type SpanKind, type SpanStart, Tracing } from './tracing.js';

/** How often spans are handed over, and how long a collector may take to take them. */
const exportEveryMs = 1_000;
const exportTimeoutMs = 5_000;

/** What a collector that hangs may cost a process that stops. */
const closeMaxMs = 2_000;

const kinds: Record<SpanKind, Kind> = {
  server: Kind.SERVER,
  consumer: Kind.CONSUMER,
  client: Kind.CLIENT,
};

/** What the traces of a process begin with. */
export interface OpenTelemetryOptions {
  readonly serviceName: string;
  readonly instanceId: string;
  /** The share of traces that begin here and are recorded, 0 to 1; continued ones follow their beginning. */
  readonly sampleRatio: number;
}

/**
 * Traces by OpenTelemetry over OTLP/HTTP. Where to, with which headers and which further attributes of
 * the service, the exporter reads from the standard variables (`OTEL_EXPORTER_OTLP_…`,
 * `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_SERVICE_NAME`). Nothing waits for a collector: spans that it does
 * not take in time are dropped.
 */
export class OpenTelemetry extends Tracing {
  readonly isOn = true;
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  constructor(options: OpenTelemetryOptions) {
    super();
    const resource = resourceFromAttributes({
      'service.name': options.serviceName,
      'service.instance.id': options.instanceId,
    });
    const exporter = new OTLPTraceExporter({ timeoutMillis: exportTimeoutMs });
    this.provider = new TracerProvider({
      resource: defaultResource()
        .merge(resource)
        .merge(detectResources({ detectors: [envDetector] })),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampleRatio) }),
      spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportEveryMs })],
    });
    this.tracer = this.provider.getTracer('parley');
  }

  start(name: string, { kind, parent, attributes }: SpanStart): Span | null {
    const continued = parent === null ? null : parseTraceParent(parent);
    const context = continued
      ? trace.setSpanContext(ROOT_CONTEXT, { ...continued, isRemote: true })
      : ROOT_CONTEXT;
    const span = this.tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    return span.isRecording() ? new OpenSpan(span) : null;
  }

  async close(): Promise<void> {
    const deadline = new Promise((resolve) => setTimeout(resolve, closeMaxMs).unref());
    await Promise.race([this.provider.shutdown().catch(() => undefined), deadline]);
  }
}

class OpenSpan implements Span {
  readonly traceparent: string;
  readonly traceId: string;

  constructor(private readonly span: RecordedSpan) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    const flags = (traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
    this.traceId = traceId;
    this.traceparent = `00-${traceId}-${spanId}-${flags}`;
  }

  end(attributes: Attributes, failure?: string): void {
    this.span.setAttributes(attributes);
    if (failure !== undefined) {
      this.span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    }
    this.span.end();
  }
}
