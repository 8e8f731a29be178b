import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'

// A receiver of OTLP 1.x over HTTP with JSON, as https://opentelemetry.io/docs/specs/otlp/ describes it: ids in
// hexadecimal, 64-bit numbers as texts, POST /v1/traces answered with an ExportTraceServiceResponse. What does not have
// that form is answered 400 and kept as a fault.

const AnyValue = Type.Object({
  stringValue: Type.Optional(Type.String()),
  intValue: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
  doubleValue: Type.Optional(Type.Number()),
  boolValue: Type.Optional(Type.Boolean()),
})
const Attributes = Type.Array(Type.Object({ key: Type.String({ minLength: 1 }), value: AnyValue }))
const Nanoseconds = Type.String({ pattern: '^\\d{19}$' })
const WireSpan = Type.Object({
  traceId: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  spanId: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  parentSpanId: Type.Optional(Type.String({ pattern: '^([0-9a-f]{16})?$' })),
  name: Type.String({ minLength: 1 }),
  kind: Type.Integer({ minimum: 1, maximum: 5 }),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: Attributes,
  status: Type.Object({ code: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })) }),
})
const ExportRequest = Type.Object({
  resourceSpans: Type.Array(
    Type.Object({
      resource: Type.Object({ attributes: Attributes }),
      scopeSpans: Type.Array(
        Type.Object({ scope: Type.Object({ name: Type.String() }), spans: Type.Array(WireSpan) }),
      ),
    }),
  ),
})

export interface ReceivedSpan extends Omit<Static<typeof WireSpan>, 'attributes'> {
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>
}

export interface TraceReceiver {
  readonly address: string
  readonly spans: ReceivedSpan[]
  /** Of the resource that the last spans were of. */
  readonly resource: () => ReceivedSpan['attributes']
  readonly faults: string[]
  /** Headers and body of everything that came, as text. */
  readonly text: () => string
}

export async function traceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const faults: string[] = []
  let text = ''
  let resource: ReceivedSpan['attributes'] = {}
  const server = createServer((request, response) => void take(request, response))
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    text += `${JSON.stringify(request.headers)}\n${body}\n`
    const asked = `${request.method} ${request.url} ${request.headers['content-type']}`
    const content: unknown = JSON.parse(body)
    const isRight = asked === 'POST /v1/traces application/json' && Value.Check(ExportRequest, content)
    if (!isRight) {
      faults.push(`${asked}: ${JSON.stringify(Value.Errors(ExportRequest, content)[0])}`)
      return response.writeHead(400, { 'content-type': 'application/json' }).end('{}')
    }
    for (const { resource: of, scopeSpans } of content.resourceSpans) {
      resource = plain(of.attributes)
      for (const span of scopeSpans.flatMap((it) => it.spans))
        spans.push({ ...span, attributes: plain(span.attributes) })
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, spans, faults, resource: () => resource, text: () => text }
}

const plain = (attributes: Static<typeof Attributes>): ReceivedSpan['attributes'] =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  )
