import { propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
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

/** How often spans are exported, and how long a collector may take to accept them. */
const exportEveryMs = 1_000;
const exportTimeoutMs = 5_000;

/** How long a hanging collector may delay a process that stops. */
const closeMaxMs = 2_000;

/** How the traces of a process are set up. */
export interface OpenTelemetryOptions {
  readonly serviceName: string;
  readonly instanceId: string;
  /** The share of traces that begin here and are recorded, 0 to 1; continued ones follow their beginning. */
  readonly sampleRatio: number;
}

/**
 * Records the traces of this process and sends them over OTLP/HTTP. Where to, with which headers and which
 * further attributes of the service, the exporter reads from the standard variables
 * (`OTEL_EXPORTER_OTLP_…`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_SERVICE_NAME`). Nothing waits for a
 * collector: spans that it does not take in time are dropped.
 * @returns a function that sends the remaining spans. It never rejects.
 */
export function openTelemetry(options: OpenTelemetryOptions): () => Promise<void> {
  const resource = resourceFromAttributes({
    'service.name': options.serviceName,
    'service.instance.id': options.instanceId,
  });
  const exporter = new OTLPTraceExporter({ timeoutMillis: exportTimeoutMs });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resource)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportEveryMs })],
  });
  trace.setGlobalTracerProvider(provider);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return async () => {
    const deadline = new Promise<void>((resolve) => setTimeout(resolve, closeMaxMs).unref());
    await Promise.race([provider.shutdown().catch(() => undefined), deadline]);
  };
}
