import type { Advisory, Rule } from '../advisory.ts'
import { formats, type FeedName } from './all.ts'
import type { Entry } from './format.ts'

/** What the reader of a feed makes of a document. */
export async function entriesIn(feed: FeedName, document: unknown): Promise<Entry[]> {
  async function* content() {
    yield Buffer.from(typeof document === 'string' ? document : JSON.stringify(document))
  }
  const entries: Entry[] = []
  for await (const it of formats[feed].read({ name: 'file.json', content: content() })) entries.push(it)
  return entries
}

export async function advisoriesIn(feed: FeedName, document: unknown): Promise<Advisory[]> {
  const entries = await entriesIn(feed, document)
  return entries.flatMap((it) => ('advisory' in it ? [it.advisory] : []))
}

export async function rulesIn(feed: FeedName, document: unknown): Promise<Rule[]> {
  return (await advisoriesIn(feed, document)).flatMap((it) => it.rules)
}
