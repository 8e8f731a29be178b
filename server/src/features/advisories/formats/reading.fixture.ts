import type { Advisory, Rule } from '../advisory.ts'
import { formats, type FeedName } from './all.ts'

/** Reads a document with the reader of a feed. */
export async function advisoriesIn(feed: FeedName, document: unknown): Promise<Advisory[]> {
  async function* content() {
    yield Buffer.from(typeof document === 'string' ? document : JSON.stringify(document))
  }
  const found: Advisory[] = []
  for await (const entry of formats[feed].read({ name: 'file.json', content: content() }))
    if ('advisory' in entry) found.push(entry.advisory)
  return found
}

export async function rulesIn(feed: FeedName, document: unknown): Promise<Rule[]> {
  return (await advisoriesIn(feed, document)).flatMap((it) => it.rules)
}
