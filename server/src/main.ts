import { runCommandLine } from './cli.ts'

/** `words` is what stands after the program's name. The exit code is left on the process. */
export async function main(words: readonly string[]): Promise<void> {
  process.exitCode = await runCommandLine(words, {
    out: printTo(process.stdout),
    err: printTo(process.stderr),
  })
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
