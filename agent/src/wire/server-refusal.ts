import type { Answer } from './server-connection.ts'

/** What the server answered instead of taking the request. */
export class ServerRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly retryAfterSeconds: number | undefined

  constructor({ status, headers, body }: Answer) {
    const code = typeof body['error'] === 'string' ? body['error'] : ''
    super(
      `the server answered ${status} ${code} ${typeof body['message'] === 'string' ? body['message'] : ''}`.trim(),
    )
    this.name = 'ServerRefusal'
    this.status = status
    this.code = code
    const seconds = Number(headers['retry-after'])
    this.retryAfterSeconds =
      (status === 429 || status === 503) && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
  }
}
