import { headers, httpUrl, share, text } from './config-values.ts'

/** Under the names that the OpenTelemetry specification gives them. */
export const tracingSettings = {
  tracesEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    parse: httpUrl,
    fallback: undefined,
    otherwise: 'none: nothing is traced',
    help: 'Where traces go: the base address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318.',
  },
  tracesHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    parse: headers,
    fallback: {} as Readonly<Record<string, string>>,
    otherwise: 'none',
    help: 'Headers that are sent along with traces, name=value with commas between them, values percent-encoded.',
    secret: true as const,
  },
  tracesShare: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    parse: share,
    fallback: 1,
    help: 'Which share of traces is kept, from 0 to 1. A request that brings a traceparent is kept if its caller keeps it.',
  },
  serviceName: {
    name: 'OTEL_SERVICE_NAME',
    parse: text,
    fallback: 'rollcall',
    help: 'What this installation is called in traces.',
  },
}
