import { hash } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import { compileUnnamed } from '../sql.ts'
import { timedOutQueries } from './timed-out-queries.ts'
import { sharedRuns } from './shared-runs.ts'
import { openTableVersions } from './table-versions.ts'
import { readVersion, type Version } from './tenant-version.ts'

/** The cache behind `Db.cached`: rows of queries, each with the version of the tenant that they were read at. */
export interface RowCache {
  /** As `Db.cached`. */
  readonly rows: <R>(tenantId: string, query: RawBuilder<R>, asked: Asked) => Promise<readonly R[]>
}

/** The session or transaction that queries run in, one after the other. */
export interface Asked {
  readonly all: <R>(query: RawBuilder<R>) => Promise<R[]>
  /** False in a transaction that has written: what others do not see yet has no version. */
  readonly isClean: () => boolean
  /** Undefined outside of a transaction. */
  readonly lastVersion?: LastVersion | undefined
  /** In a transaction that sees one state of the database from its first statement to its last. */
  readonly isOfOneState?: boolean | undefined
  /** All tables that the query reads; undefined where they are not named. */
  readonly tables?: readonly string[] | undefined
}

interface Entry {
  readonly version: string | undefined
  readonly rows: readonly unknown[]
  /** Length as JSON, in characters. */
  readonly size: number
}

/**
 * The version of the tenant that a transaction has read. It holds until the transaction sends another statement, so that
 * several cached queries in a row read the version once.
 */
export interface LastVersion {
  /** Statements that the transaction has sent. */
  sent: number
  read?: { readonly version: Version; readonly sent: number }
}

const SIZE_MAX = 32 * 2 ** 20
/** A larger result is not cached. */
const ENTRY_SIZE_MAX = 2 ** 20

export function openRowCache(): RowCache {
  const entries = boundedEntries()
  const runs = sharedRuns()
  const timedOut = timedOutQueries()
  const tableVersions = openTableVersions()

  async function read<R>(
    key: string,
    query: RawBuilder<R>,
    { asked, version, before }: Reading,
  ): Promise<R[]> {
    timedOut.refuse(key)
    const rows = await timedOut.run(key, () => asked.all(query))
    // between two equal versions nothing was changed, so all snapshots between them are alike
    if ((await version()) === before && asked.isClean()) entries.add(key, { version: before, rows })
    return rows
  }

  return {
    async rows<R>(tenantId: string, query: RawBuilder<R>, asked: Asked): Promise<readonly R[]> {
      const key = keyOf(tenantId, query)
      const version = async () => {
        const now = await versionNow(tenantId, asked)
        return now && asked.tables
          ? tableVersions.of(tenantId, asked.tables, { now, all: asked.all })
          : now?.version
      }
      const cachedAt = (at: string | undefined) => entries.at(key, at) as readonly R[] | undefined
      async function ask(): Promise<readonly R[]> {
        const before = await version()
        return cachedAt(before) ?? read(key, query, { asked, version, before })
      }
      const before = await version()
      const found = cachedAt(before)
      if (found) return found
      return runs.run(key, {
        now: () => read(key, query, { asked, version, before }),
        later: ask,
        isAlone: asked.isOfOneState ?? false,
      })
    },
  }
}

async function versionNow(tenantId: string, { all, lastVersion }: Asked): Promise<Version | undefined> {
  const { read, sent } = lastVersion ?? { sent: 0 }
  if (read?.sent === sent) return read.version
  const [version] = await all(readVersion(tenantId))
  // no other statement was sent in between
  if (version && lastVersion?.sent === sent + 1) lastVersion.read = { version, sent: sent + 1 }
  return version
}

interface Reading {
  readonly asked: Asked
  readonly version: () => Promise<string | undefined>
  /** The version before the query runs. */
  readonly before: string | undefined
}

function keyOf(tenantId: string, query: RawBuilder<unknown>): string {
  const { text, values } = compileUnnamed(query)
  return hash('sha256', JSON.stringify([tenantId, text, values]), 'base64url')
}

/** Forgets the least recently used entries beyond `SIZE_MAX`. */
function boundedEntries() {
  const entries = new Map<string, Entry>()
  let size = 0
  const remove = (key: string): void => {
    size -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }
  const insert = (key: string, entry: Entry): void => {
    entries.set(key, entry)
    size += entry.size
  }
  return {
    at(key: string, version: string | undefined): readonly unknown[] | undefined {
      const found = entries.get(key)
      if (!found || found.version !== version) return undefined
      remove(key)
      insert(key, found)
      return found.rows
    },
    add(key: string, { version, rows }: Omit<Entry, 'size'>): void {
      remove(key)
      const sizeOfRows = JSON.stringify(rows).length
      if (sizeOfRows > ENTRY_SIZE_MAX) return
      insert(key, { version, rows, size: sizeOfRows })
      for (const oldest of entries.keys()) {
        if (size <= SIZE_MAX) break
        remove(oldest)
      }
    },
  }
}
