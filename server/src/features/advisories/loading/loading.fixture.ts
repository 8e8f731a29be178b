import { Readable } from 'node:stream'
import type { Ctx } from '#platform/context.ts'
import type { FeedName } from '../formats/all.ts'
import { loadFile } from './load-file.ts'
import { unpack } from './unpack.ts'

/** Loads a file of a feed; without options it is all that the feed has. */
export const load = (
  ctx: Ctx,
  feed: FeedName,
  content: unknown,
  options: { part?: string; isWhole?: boolean; name?: string } = {},
) =>
  loadFile(ctx, {
    feed,
    part: options.part ?? 'all',
    isWhole: options.isWhole ?? true,
    files: unpack({ name: options.name ?? 'file', content: Readable.from([Buffer.from(textOf(content))]) }),
    state: () => ({ etag: null, lastModified: null, checksum: null, position: null }),
  })

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content))

export const osv = (id: string, fixed: string, more: object = {}) => ({
  id,
  aliases: [],
  affected: [
    {
      package: { ecosystem: 'PyPI', name: 'Foo_Bar' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
    },
  ],
  ...more,
})

export const lines = (...records: readonly object[]) => records.map((it) => JSON.stringify(it)).join('\n')

/** The package of `osv`. */
export const FOO_BAR = { ecosystem: 'PyPI', package: 'foo-bar' }
