import { Agent, get, type IncomingMessage } from 'node:http'

/** Asks for these paths in turn, `concurrency` at a time, until the time is up. */
export interface Load {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly questions: readonly Question[]
  readonly concurrency: number
  readonly seconds: number
  /** Go on behind that time until so many were asked. */
  readonly atLeast?: number
}

export interface Question {
  readonly path: string
  /** What X-Total-Count has to be; absent where there is none. */
  readonly total?: number
}

export interface Loaded {
  readonly seconds: number
  /** Of each answer, from the request to the last byte. */
  readonly milliseconds: readonly number[]
  /** How many of them were no answers to the question. */
  readonly refused: number
  /** What was wrong with answers, each thing once. */
  readonly faults: readonly string[]
}

process.on('disconnect', () => process.exit())
process.on('message', (load: Load) => {
  void ask(load).then((loaded) => process.send?.(loaded))
})

async function ask({
  address,
  headers,
  questions,
  concurrency,
  seconds,
  atLeast = 0,
}: Load): Promise<Loaded> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const milliseconds: number[] = []
  const faults = new Set<string>()
  const begunAt = performance.now()
  const endsAt = begunAt + seconds * 1_000
  let next = 0
  let refused = 0
  const keepAsking = async (): Promise<void> => {
    while (performance.now() < endsAt || next < atLeast) {
      const question = questions[next++ % questions.length] as Question
      const askedAt = performance.now()
      const fault = await request(new URL(question.path, address), { agent, headers }, question)
      milliseconds.push(performance.now() - askedAt)
      if (fault) faults.add(fault.text)
      if (fault?.isRefusal) refused += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, keepAsking))
  agent.destroy()
  return { seconds: (performance.now() - begunAt) / 1_000, milliseconds, refused, faults: [...faults] }
}

interface Fault {
  readonly text: string
  readonly isRefusal: boolean
}

function request(
  url: URL,
  options: { readonly agent: Agent; readonly headers: Load['headers'] },
  { path, total }: Question,
): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    const broken = (error: Error): void => resolve({ text: `${path}: ${error.message}`, isRefusal: true })
    get(url, options, (response) => {
      response.resume()
      response.on('end', () => resolve(faultOf(response, path, total)))
      response.on('error', broken)
    }).on('error', broken)
  })
}

function faultOf({ statusCode, headers }: IncomingMessage, path: string, total?: number): Fault | undefined {
  if (statusCode !== 200) return { text: `${path}: answered ${statusCode}`, isRefusal: true }
  const told = headers['x-total-count']
  return total === undefined || told === String(total)
    ? undefined
    : { text: `${path}: ${String(told)} in all instead of ${total}`, isRefusal: false }
}
