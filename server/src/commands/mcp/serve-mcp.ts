import { readFileSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { httpUrl } from '../../config-values.ts'
import { openNet, type Net } from '#platform/egress/net.ts'
import { invalid } from '#platform/errors.ts'
import type { CommandInput } from '#platform/cli/command.ts'
import { serverVersion } from '#features/agents/packages/versions.ts'
import { answerLine } from './answer-message.ts'
import type { Ask } from './call-tool.ts'

const LINE_CHARS_MAX = 1_048_576
const ANSWER_BYTES_MAX = 4_194_304
const TIMEOUT_MS = 60_000

/** Answers an assistant over standard input and output until it closes them. What may be read is what the key may read. */
export async function serveMcp(
  { options }: CommandInput,
  print: (text: string) => Promise<void>,
  input: AsyncIterable<Buffer> = process.stdin,
): Promise<void> {
  const site = siteOf(String(options['server'] ?? 'http://127.0.0.1:8080'))
  const key = keyIn(String(options['key-file']))
  const net = openNet({ allowPrivate: [new URL(site).hostname] })
  const version = serverVersion()
  try {
    for await (const line of linesOf(input)) {
      if (line.trim() === '') continue
      const answer = await answerLine(line, version, askWith(net, site, key))
      if (answer !== undefined) await print(`${answer}\n`)
    }
  } finally {
    await net.close()
  }
}

function siteOf(address: string): string {
  try {
    return (httpUrl(address) ?? address).replace(/\/$/, '')
  } catch (error) {
    throw invalid('server', (error as Error).message)
  }
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw invalid('key-file', `cannot be read: ${(error as Error).message}`)
  }
}

const askWith =
  (net: Net, site: string, key: string): Ask =>
  async (path, query) => {
    const url = new URL(`${site}/api/v1${path}?${query.toString()}`)
    const headers = { 'x-api-key': key }
    const limits = { bytesMax: ANSWER_BYTES_MAX, budgetMs: TIMEOUT_MS }
    const answer = await net.fetch(url, { method: 'GET', headers, ...limits }).catch((error: Error) => {
      throw new Error(`${site} cannot be asked: ${error.message}`, { cause: error })
    })
    const body = (await answer.json().catch(() => ({}))) as { message?: string }
    if (!answer.ok) throw new Error(`${answer.status}: ${body.message ?? 'refused'}`)
    return body
  }

async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of input) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > LINE_CHARS_MAX)
      throw invalid('stdin', `a message has more than ${LINE_CHARS_MAX} characters`)
  }
  if (rest !== '') yield rest
}
