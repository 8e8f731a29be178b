import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { invalidBody, methodNotAllowed, Refusal } from '../errors.ts'

/** What may go wrong before there is a request: the sentence for each code of Node's parser and timers. */
const refusals: Readonly<Record<string, () => Refusal>> = {
  HPE_HEADER_OVERFLOW: () =>
    new Refusal(
      431,
      'request_header_fields_too_large',
      'the address and headers of the request are too long',
    ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    new Refusal(413, 'payload_too_large', 'the chunk extensions are too long'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new Refusal(408, 'request_timeout', 'the request took too long to arrive'),
}

export function refusalOfClientError(error: NodeJS.ErrnoException): Refusal {
  return refusals[error.code ?? '']?.() ?? invalidBody('the request is not valid HTTP')
}

/** How long a sender has to read the answer and close, before its connection is destroyed. */
const LINGER_MS = 1_000

/** Answers on the bare socket, after the requests that were read before; not at all when an answer is half sent. */
export function answerClientError(
  socket: Duplex,
  refusal: Refusal,
  headers: Readonly<Record<string, string>>,
): void {
  const underway = (socket as { _httpMessage?: ServerResponse | null })._httpMessage
  if (underway?.req.complete && !underway.writableFinished) {
    underway.once('finish', () => answerClientError(socket, refusal, headers))
    return
  }
  if (!socket.writable || underway?.headersSent) return void socket.destroy()
  const body = JSON.stringify({ error: refusal.code, message: refusal.message })
  const lines = Object.entries({
    ...headers,
    ...refusal.extras.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const { status } = refusal
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
  destroyAfterLinger(socket)
}

/** `end` closes our side alone: a sender that never closes its own would keep the connection for ever. */
function destroyAfterLinger(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** What Node answers by itself, without asking the application: CONNECT, and expectations other than 100-continue. */
export function answerConnectAndExpect(
  server: Server,
  headersFor: (socket: Duplex) => Record<string, string>,
): void {
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    answerClientError(socket, methodNotAllowed(['GET', 'HEAD', 'POST', 'DELETE']), headersFor(socket))
  })
  // RFC 9110 §10.1.1 lets a server ignore an expectation that it does not know
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
}
