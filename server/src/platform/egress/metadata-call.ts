import { request } from 'node:http'

export interface MetadataAnswer {
  readonly status: number
  readonly text: string
}

/** Such services answer within milliseconds; elsewhere nobody answers at all. */
const ANSWER_MS = 2_000
const ANSWER_BYTES_MAX = 65_536

/** Asks a service of the host, past the address policy. Throws when there is no answer in time or it is too long. */
export const askOnce = (
  url: string,
  { method, headers }: { readonly method: 'GET' | 'PUT'; readonly headers: Readonly<Record<string, string>> },
): Promise<MetadataAnswer> =>
  new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const call = request(url, { method, headers, signal, agent: false }, (response) => {
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
  })
