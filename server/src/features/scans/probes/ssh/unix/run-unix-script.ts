import { randomBytes } from 'node:crypto'
import type { ClientChannel } from '../connection/ssh2-library.ts'
import { seconds, type Limits } from '../timeouts-and-limits.ts'
import { SectionReader, type Section, type SectionLimits } from './script-output.ts'
import type { Session } from '../connection/session.ts'
import type { Question } from './command.ts'
import { scriptOf, unixQuestions } from './unix-script.ts'

/** What a host answered, by the name of the question; and how far it got. */
export interface Answers {
  readonly sections: ReadonlyMap<string, Section>
  /** Why not all questions were answered, for people. */
  readonly notes: readonly string[]
}

const BATCHES_MAX = 4

export interface CommandContext {
  readonly signal: AbortSignal
  readonly limits: Limits
}

interface BatchMeans extends CommandContext {
  readonly deadline: number
}

/**
 * Asks all questions in one batch: a script that a POSIX shell reads from its input, so that it stands in no process
 * list and no history, whatever the login shell is. Where a question hangs or floods, the batch is ended and the rest
 * asked in another. Undefined: there is no such shell.
 */
export async function askUnix(
  session: Session,
  { signal, limits }: CommandContext,
): Promise<Answers | undefined> {
  const sections = new Map<string, Section>()
  const notes: string[] = []
  const deadline = performance.now() + limits.questions
  let left: readonly Question[] = unixQuestions
  for (let batch = 0; left.length > 0 && batch < BATCHES_MAX; batch++) {
    const ended = await askBatch(session, left, { signal, limits, deadline })
    for (const [name, section] of ended.sections) sections.set(name, section)
    if (sections.size === 0) return undefined
    const stuckAt = ended.stuckAt ?? left[0]?.name ?? ''
    left = left.filter(({ name }) => !sections.has(name))
    if (left.length === 0) break
    notes.push(`${stuckAt}: ${ended.why}`)
    if (ended.why === OUT_OF_TIME || ended.sections.size === 0) break
  }
  if (left.length > 0) notes.push(`not asked: ${left.map(({ name }) => name).join(', ')}`)
  return { sections, notes }
}

const OUT_OF_TIME = 'the host took too long in all'

interface Batch {
  readonly sections: ReadonlyMap<string, Section>
  readonly stuckAt?: string
  readonly why: string
}

async function askBatch(session: Session, questions: readonly Question[], means: BatchMeans): Promise<Batch> {
  const mark = `=${randomBytes(16).toString('hex')}=`
  const reader = new SectionReader(
    mark,
    questions.map(({ name }) => name),
    bytesOf(means.limits),
  )
  const channel = await openShell(session, means.signal)
  if (!channel) return { sections: new Map(), why: 'refused a command' }
  channel.write(scriptOf(questions, mark))
  channel.end()
  const why = await drained(channel, reader, means)
  const stuckAt = reader.openName
  return { sections: reader.sections(), why, ...(stuckAt !== undefined && { stuckAt }) }
}

const bytesOf = ({ sectionBytes, packageBytes, totalBytes }: Limits): SectionLimits => ({
  section: (name) => (name.startsWith('packages-') ? packageBytes : sectionBytes),
  total: totalBytes,
})

/** `sh -s` is understood by every login shell; where commands are refused, a shell without terminal may be had. */
async function openShell({ client }: Session, signal: AbortSignal): Promise<ClientChannel | undefined> {
  const exec = await opened(signal, (done) => client.exec('sh -s', done))
  if (exec) return exec
  const shell = await opened(signal, (done) => client.shell(false, done))
  shell?.write('exec sh -s\n')
  return shell
}

const OPEN_MS = 20_000

export function opened(
  signal: AbortSignal,
  open: (done: (error: Error | undefined, channel: ClientChannel) => void) => void,
): Promise<ClientChannel | undefined> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error)
    const settle = (channel?: ClientChannel): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve(channel)
    }
    const timer = setTimeout(settle, OPEN_MS)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      open((error, channel) => settle(error ? undefined : channel))
    } catch {
      settle() // the connection has gone
    }
  })
}

/** Reads until the end, and answers why that was. */
function drained(
  channel: ClientChannel,
  reader: SectionReader,
  { signal, limits, deadline }: BatchMeans,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let lastCount = -1
    let complaints = 0
    const settle = (act: () => void): void => {
      clearTimeout(silence)
      clearTimeout(end)
      signal.removeEventListener('abort', onAbort)
      channel.removeAllListeners('data')
      channel.destroy()
      channel.resume()
      act()
    }
    const give = (why: string) => (): void => settle(() => resolve(why))
    const stop = (why: string) => (): void => {
      try {
        channel.signal('KILL')
      } catch {
        // it has ended by itself
      }
      give(why)()
    }
    const onAbort = (): void => settle(() => reject(signal.reason as Error))
    const silence = setTimeout(stop(`no answer in ${seconds(limits.answer)}`), limits.answer)
    const end = setTimeout(stop(OUT_OF_TIME), Math.max(0, deadline - performance.now()))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) return onAbort()
    channel.on('data', (chunk: Buffer) => {
      reader.feed(chunk)
      // only the end of a section is progress: a command that trickles for ever is stuck too
      if (reader.count !== lastCount) silence.refresh()
      lastCount = reader.count
      if (reader.wasted > limits.wasteBytes) stop('more output than is kept')()
    })
    channel.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.length
      if (complaints > limits.wasteBytes) stop('more complaints than are kept')()
    })
    channel.once('close', give('the shell ended'))
    channel.on('error', give('the connection ended'))
  })
}
