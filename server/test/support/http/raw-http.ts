import { connect } from 'node:net'
import type { Answer } from './api-client.ts'

/** Sends bytes as they are and reads answers until the server closes the connection. */
export function sendRaw(address: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // a server that closes on us while we still send has answered before
    socket.on('error', (error) => (chunks.length > 0 ? resolve(textOf(chunks)) : reject(error)))
    socket.on('close', () => resolve(textOf(chunks)))
  })
}

/** The first answer in what `sendRaw` read. */
export function firstAnswer(text: string): Answer<unknown> {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = rest.join('\r\n\r\n').slice(0, Number(headers['content-length'] ?? 0))
  return { status: Number(statusLine.split(' ')[1]), headers, text: body, body: body && JSON.parse(body) }
}

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('latin1')
