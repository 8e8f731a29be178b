import type { RawBuilder } from 'kysely'
import { changesFrom, subjectsChanged, type Version } from './tenant-version.ts'

/** Versions of some tables of a tenant, which stay while other tables are written. */
export interface TableVersions {
  /** Equal to an earlier one if none of the tables was written in between. */
  readonly of: (tenantId: string, tables: readonly string[], at: Moment) => Promise<string>
}

interface Moment {
  /** The version of the whole tenant. */
  readonly now: Version
  readonly all: <R>(query: RawBuilder<R>) => Promise<R[]>
}

interface Entry {
  /** The newest version of the tenant at which the tables are known to have theirs. */
  readonly until: Version
  readonly version: string
}

const ENTRIES_MAX = 10_000

export function openTableVersions(): TableVersions {
  const entries = new Map<string, Entry>()
  return {
    async of(tenantId, tables, { now, all }) {
      const key = [tenantId, ...tables].join(' ')
      const before = entries.get(key)
      if (before?.until.version === now.version) return before.version
      const until = before && (await unwrittenUntil(before.until, { tenantId, tables, all }))
      const found =
        before && until ? { until, version: before.version } : { until: now, version: now.version }
      entries.delete(key)
      entries.set(key, found)
      for (const oldest of entries.keys()) {
        if (entries.size <= ENTRIES_MAX) break
        entries.delete(oldest)
      }
      return found.version
    },
  }
}

interface Asked extends Pick<Moment, 'all'> {
  readonly tenantId: string
  readonly tables: readonly string[]
}

/** The present version of the tenant, if nothing was written to the tables since. */
async function unwrittenUntil(
  since: Version,
  { tenantId, tables, all }: Asked,
): Promise<Version | undefined> {
  const changes = await all(changesFrom({ tenantId, since, names: tables, most: 0 }))
  return subjectsChanged(changes, since)?.length === 0 ? changes.at(-1) : undefined
}
