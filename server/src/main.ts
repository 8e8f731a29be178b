import type { Streams } from './cli.ts'
import { readConfig, type Config } from './config.ts'

/** `words` is what stands after the program's name. The exit code is left on the process. */
export async function main(words: readonly string[]): Promise<void> {
  const streams: Streams = { out: printTo(process.stdout), err: printTo(process.stderr) }
  const alone = words.join(' ') === 'serve' ? configOfWorker() : undefined
  process.exitCode = alone
    ? await (await import('./work-alone.ts')).runWorker(alone, streams)
    : await (await import('./cli.ts')).runCommandLine(words, streams)
}

/** Of a process that only works: it loads neither the command line nor what has no work. */
function configOfWorker(): Config | undefined {
  try {
    const config = readConfig()
    return config.roles.every((it) => it === 'worker' || it === 'deliveries') ? config : undefined
  } catch {
    return undefined // the command line says what does not fit
  }
}

/** Resolves when the text has left the process. Whoever reads it may leave early, as `head` does. */
function printTo(stream: NodeJS.WriteStream): (text: string) => Promise<void> {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return (text) =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()))
    })
}
