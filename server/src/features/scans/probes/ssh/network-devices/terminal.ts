import { withoutEscapes } from '../terminal-text.ts'
import type { ClientChannel, ClientType } from '../connection/ssh2-library.ts'
import { opened, type CommandContext } from '../unix/run-unix-script.ts'

/** A terminal at which questions are typed and answered. */
export interface Dialogue {
  /** What stood there before the first question. */
  readonly greeting: string
  /** The answer, without the echo of the question and without the prompt; what came until then if it never ends. */
  readonly ask: (question: string) => Promise<string>
  readonly notes: () => readonly string[] | undefined
  readonly close: () => void
}

/** After so long without a byte, a line that looks like a prompt is one. */
const QUIET_MS = 700
const ANSWER_LENGTH_MAX = 256 * 1_024
const PAGES_MAX = 200
/** How much of an answer's end is searched for a prompt or a pager. */
const TAIL_LENGTH = 400

/** A name in any of the makers' brackets: `core-1#`, `user@mx>`, `[admin@hEX] >`, `<HUAWEI>`, `fw (global) $`. */
const PROMPT = /(?:^|\n|\r)([^\s#$%>][^\n\r]{0,120}|[<[][^\n\r]{1,120}?)?[#$%>\]]\s{0,2}$/
const PAGER =
  /(?:-+ ?\(?more\)?[^\n]{0,40}|<-+ ?more ?-+>|press any key[^\n]{0,40}|lines \d+-\d+[^\n]{0,20})\s*$/i

/** How a pager takes its own words back. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const WIPED = /\u0008+ *\u0008*/g

export async function openDialogue(
  client: ClientType,
  { signal, limits }: CommandContext,
): Promise<Dialogue | undefined> {
  const window = { term: 'dumb', cols: 250, rows: 1_000, width: 0, height: 0 }
  const channel = await opened(signal, (done) => client.shell(window, done))
  if (!channel) return undefined
  const listener = listenTo(channel, signal, limits.answer)
  const notes: string[] = []
  const greeting = await listener.until()
  const prompt =
    withoutEscapes(greeting)
      .split(/[\r\n]/)
      .at(-1)
      ?.trim() ?? ''
  return {
    greeting,
    async ask(question) {
      if (listener.isOver()) return ''
      listener.clear()
      channel.write(`${question}\n`)
      const answer = await listener.until(prompt)
      if (answer.length >= ANSWER_LENGTH_MAX) notes.push(`${question}: cut, it said more than is kept`)
      return answered(answer, question)
    },
    notes: () => (notes.length > 0 ? notes : undefined),
    close: () => void (channel.removeAllListeners('data'), channel.destroy(), channel.resume()),
  }
}

const tailOf = (heard: string): string => withoutEscapes(heard.slice(-TAIL_LENGTH))

interface Listener {
  /** The output since `clear`, up to the known prompt or what looks like one, or up to the maximum length. */
  readonly until: (prompt?: string) => Promise<string>
  readonly clear: () => void
  readonly isOver: () => boolean
}

function listenTo(channel: ClientChannel, signal: AbortSignal, answerMs: number): Listener {
  let heard = ''
  let isOver = false
  let wake = (): void => undefined
  const end = (): void => {
    isOver = true
    wake()
  }
  channel.on('data', (chunk: Buffer) => {
    if (heard.length < ANSWER_LENGTH_MAX) heard += chunk.toString('utf8')
    wake()
  })
  channel.stderr.on('data', () => undefined)
  channel.on('error', end)
  channel.once('close', end)
  return {
    clear: () => void (heard = ''),
    isOver: () => isOver,
    async until(prompt = '') {
      const deadline = performance.now() + answerMs
      for (let pages = 0; ;) {
        const length = heard.length
        if (PROMPT.test(prompt) && tailOf(heard).trimEnd().endsWith(prompt)) return heard
        await quiet(signal, (resume) => void (wake = resume))
        if (isOver || heard.length >= ANSWER_LENGTH_MAX || performance.now() > deadline) return heard
        if (heard.length > length) continue
        const tail = tailOf(heard)
        if (PAGER.test(tail)) {
          if (++pages > PAGES_MAX) return heard
          heard = heard.slice(0, -TAIL_LENGTH) + heard.slice(-TAIL_LENGTH).replace(PAGER, '\n')
          channel.write(' ')
        } else if (PROMPT.test(tail)) return heard
      }
    },
  }
}

/** Until something is heard, or for as long as a pause takes. */
function quiet(signal: AbortSignal, hearing: (resume: () => void) => void): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      act()
    }
    const onAbort = settle(() => reject(signal.reason as Error))
    const timer = setTimeout(settle(resolve), QUIET_MS)
    signal.addEventListener('abort', onAbort, { once: true })
    hearing(settle(resolve))
  })
}

function answered(text: string, question: string): string {
  const clean = text
    .slice(0, ANSWER_LENGTH_MAX)
    .replaceAll(/\r+\n/g, '\n')
    .replaceAll(WIPED, '')
    .replaceAll('\r', '\n')
  const lines = withoutEscapes(clean).split('\n')
  const from = lines.findIndex((line) => line.includes(question)) + 1
  return lines.slice(from, -1).join('\n')
}
