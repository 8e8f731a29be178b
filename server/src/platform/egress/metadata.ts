import { request } from 'node:http'

/**
 * The metadata service of the cloud in which this process runs. It gives credentials to whoever asks from this host, so
 * the address policy admits it to nobody, and this port exists only where the operator has turned it on.
 */
export interface Metadata {
  /** Throws when there is no answer in time. */
  readonly ask: (call: MetadataCall) => Promise<MetadataAnswer>
}

export interface MetadataCall {
  readonly method: 'GET' | 'PUT'
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export interface MetadataAnswer {
  readonly status: number
  readonly text: string
}

/** The same for AWS, Azure and Google Cloud. */
const ADDRESS = 'http://169.254.169.254'
/** It answers within milliseconds; elsewhere nobody answers at all. */
const ANSWER_MS = 2_000
const ANSWER_BYTES_MAX = 65_536

export const openMetadata = (address = ADDRESS): Metadata => ({
  ask: ({ method, path, headers }) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(ANSWER_MS)
      const call = request(address + path, { method, headers, signal, agent: false }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          if (text.length > ANSWER_BYTES_MAX) call.destroy(new Error('the answer is too long'))
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      })
      call.on('error', reject)
      call.end()
    }),
})
