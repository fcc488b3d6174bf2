import {
  type Attributes,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/**
 * Begins the span of a piece of work.
 * @param parent the W3C trace context that it continues; null begins a trace.
 * @returns null where this is not traced.
 */
export function startSpan(
  name: string,
  kind: SpanKind,
  parent: string | null,
  attributes?: Attributes,
): Span | null {
  const context =
    parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: parent });
  const span = trace.getTracer('parley').startSpan(name, { kind, attributes }, context);
  return span.isRecording() ? span : null;
}

/** @param failure what went wrong; absent if nothing did. */
export function endSpan(span: Span | null, attributes: Attributes, failure?: string): void {
  span?.setAttributes(attributes);
  if (failure !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span?.end();
}

/** The W3C trace context of a span: for the row, the request or the span that the work leads to. */
export function traceparentOf(span: Span): string {
  const carrier = { traceparent: '' };
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier);
  return carrier.traceparent;
}
