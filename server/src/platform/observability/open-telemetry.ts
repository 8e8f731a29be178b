import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace as api,
  type Context,
  type Span as ApiSpan,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import type { Log } from './log.ts'
import type { Span, SpanOptions, Trace } from './trace.ts'

export interface TracingOptions {
  /** Base address of an OTLP receiver over HTTP; spans go to `/v1/traces` below it. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly version: string
  readonly instance: string
  /** Of new traces, from 0 to 1. */
  readonly share: number
  readonly log: Log
}

export interface Tracing extends Trace {
  /** Sends what waits. */
  readonly close: () => Promise<void>
}

const EXPORT_TIMEOUT_MS = 5_000
const WARN_EVERY_MS = 60_000
/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

/** Spans by the OpenTelemetry protocol. Sent in batches beside the work; where nobody takes them, they are dropped. */
export function openTracing(options: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...options.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.version,
      'service.instance.id': options.instance,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.share) }),
    spanProcessors: [new BatchSpanProcessor(warning(exporter, options.log))],
  })
  const tracer = provider.getTracer('rollcall', options.version)
  return {
    begin: (name, more) => beginSpan(tracer, ROOT_CONTEXT, name, more),
    close: () => provider.shutdown().catch((error: unknown) => options.log.debug({ err: error }, 'traces')),
  }
}

function beginSpan(tracer: Tracer, within: Context, name: string, options: SpanOptions = {}): Span {
  const parent = parentOf(within, options.parent)
  const kind = options.kind ? KINDS[options.kind] : SpanKind.INTERNAL
  const span = tracer.startSpan(name, { kind, attributes: { ...options.attributes } }, parent)
  const { traceId, spanId, traceFlags } = span.spanContext()
  const context = api.setSpan(parent, span)
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    begin: (inner, more) => beginSpan(tracer, context, inner, more),
    note: (attributes) => void span.setAttributes({ ...attributes }),
    fail: (error) => fail(span, error),
    end: () => span.end(),
  }
}

function parentOf(within: Context, traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return within
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return api.setSpanContext(within, { traceId, spanId, traceFlags, isRemote: true })
}

function fail(span: ApiSpan, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', error instanceof Error ? error.constructor.name : typeof error)
}

/** Tells once a minute that traces do not arrive; the work that they are about goes on. */
function warning(exporter: OTLPTraceExporter, log: Log): SpanExporter {
  let warnedAt = -Infinity
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const now = performance.now()
        if (result.error && now - warnedAt > WARN_EVERY_MS) {
          warnedAt = now
          log.warn({ reason: result.error.message, spans: spans.length }, 'traces could not be sent')
        }
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
