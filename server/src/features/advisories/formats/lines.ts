import { FeedError } from '../feeds/feed-error.ts'

const LINE_LENGTH_MAX = 65_536

/** Lines of UTF-8 text with their numbers, from 1, without line ends. */
export async function* linesOf(
  content: AsyncIterable<Buffer>,
): AsyncIterable<{ readonly number: number; readonly text: string }> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let number = 0
  const decoded = (chunk?: Buffer): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw new FeedError(`line ${number + 1} is not UTF-8`)
    }
  }
  for await (const chunk of content) {
    const lines = (rest + decoded(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) yield { number: ++number, text: text.replace(/\r$/, '') }
    if (rest.length > LINE_LENGTH_MAX) throw new FeedError(`line ${number + 1} is too long`)
  }
  rest += decoded()
  if (rest !== '') yield { number: ++number, text: rest.replace(/\r$/, '') }
}

/** The whole file as text, for small files. */
export async function wholeText(content: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new FeedError(`the file is larger than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new FeedError('the file is not UTF-8')
  }
}
