import type { Upstream } from './upstream.ts'

/** The oldest release still in use in containers; future releases are requested and may be missing. */
const FIRST_RELEASE = 10
const LAST_RELEASE = 30

export const alpineUpstream: Upstream = {
  name: 'alpine',
  title: 'Alpine security database',
  attribution: 'Alpine Linux security team, secdb.alpinelinux.org.',
  base: 'https://secdb.alpinelinux.org/',
  everyHours: 12,
  async *plan({ base }) {
    for (let release = FIRST_RELEASE; release <= LAST_RELEASE; release++) {
      for (const repository of ['main', 'community']) {
        const part = `v3.${release}/${repository}`
        yield { part, urls: [new URL(`${part}.json`, base).href], isWhole: true, mayBeMissing: true }
      }
    }
  },
}
