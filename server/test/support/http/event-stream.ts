import { Agent, request } from 'undici'
import { onTestFinished } from 'vitest'

interface News {
  readonly event: string
  readonly data: Record<string, unknown>
}

/** An open stream of events: each call of `next` waits for one more event of the name, and passes over others. */
export async function openEventStream(address: string, headers: Record<string, string>) {
  const dispatcher = new Agent()
  const { statusCode, headers: responseHeaders, body } = await request(address, { dispatcher, headers })
  onTestFinished(() => dispatcher.destroy())
  const events = parse(body)
  return {
    status: statusCode,
    type: responseHeaders['content-type'],
    body,
    async next(
      event: string,
      fits: (data: News['data']) => boolean = () => true,
    ): Promise<News['data'] | undefined> {
      for (let it = await events.next(); !it.done; it = await events.next())
        if (it.value.event === event && fits(it.value.data)) return it.value.data
      return undefined
    },
  }
}

async function* parse(body: AsyncIterable<Buffer>): AsyncGenerator<News, undefined> {
  let text = ''
  for await (const chunk of body) {
    text += chunk.toString()
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (event !== undefined) yield { event, data: JSON.parse(data ?? '') as News['data'] }
    }
  }
  return undefined
}
