import { sql } from 'kysely'
import type { Ctx } from '../context.ts'
import { misdirected } from '../errors.ts'
import { sha256 } from '../secrets/random-keys.ts'
import { cellOfKey, type CellAddresses } from './cell.ts'

/** Throws 421 for keys and names of tenants that another cell serves. */
export interface Misdirection {
  /** Called with an API key that nobody here has. */
  readonly refuseKey: (key: string) => Promise<void>
  /** Called with the digest of an unknown token or key of an agent, a collector or a partner. */
  readonly refuseDigest: (digest: Buffer) => Promise<void>
  /** Called with a slug that no tenant here has. */
  readonly refuseSlug: (slug: string) => Promise<void>
}

export function misdirection(system: Ctx, addresses: CellAddresses): Misdirection {
  const movedTo = async (digest: Buffer): Promise<string | undefined> => {
    const moved = await system.db.maybe(sql<{ address: string }>`
      select m.address from moved_keys k join tenant_moves m on m.id = k.move_id
      where k.key_hash = ${digest} and m.moved_at is not null`)
    return moved?.address
  }
  return {
    async refuseKey(key) {
      const cell = cellOfKey(key)
      const address =
        (await movedTo(sha256(key))) ?? (cell === system.cell ? undefined : addresses.get(cell ?? -1))
      if (address !== undefined) throw misdirected(address)
    },
    async refuseDigest(digest) {
      const address = await movedTo(digest)
      if (address !== undefined) throw misdirected(address)
    },
    async refuseSlug(slug) {
      const moved = await system.db.all(sql<{ address: string }>`
        select address from tenant_moves where slug = ${slug} and moved_at is not null order by moved_at desc limit 1`)
      if (moved[0]) throw misdirected(moved[0].address)
    },
  }
}
