import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { notABackup, readBackupFile, type BackupMember } from './backup-file.ts'

/** The first member: what there is, and what it fits. */
export const BACKUP_HEAD = 'backup.json'
/** The last member: what a reader must have seen. */
export const BACKUP_SUMS = 'sums.json'

const Name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' })
const Day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })

const Head = Type.Object({
  format: Type.Literal(1),
  taken_at: Type.String(),
  version: Type.String(),
  postgresql: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), digest: Type.String() })),
  /** The text by which SECRET_KEY is recognised, sealed, in Base64; null before the first start. */
  key_check: Type.Union([Type.String(), Type.Null()]),
  tables: Type.Array(Type.Object({ name: Name, columns: Type.Array(Name, { minItems: 1 }) })),
  /** Tables in daily partitions, and the days. */
  days: Type.Array(Type.Object({ table: Name, days: Type.Array(Day) })),
  /** The last number given out; null before the first. */
  sequences: Type.Array(Type.Object({ name: Name, last: Type.Union([Type.String(), Type.Null()]) })),
})

const Sums = Type.Object({
  rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  sha256: Type.Record(Type.String(), Type.String()),
})

const HEAD = Compile(Head)
const SUMS = Compile(Sums)

export type BackupHead = Static<typeof Head>
export type BackupSums = Static<typeof Sums>

/** Some rows of a table, in the text format of COPY. */
export interface BackupRows {
  readonly table: string
  readonly rows: number
  readonly text: Buffer
}

const CHUNK_BYTES_MAX = 1_073_741_824
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export const packed = (text: Buffer): Promise<Buffer> => compress(text)

export const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

export const memberOf = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy.zst`

const MEMBER = /^tables\/(?<table>[a-z][a-z0-9_]*)\/\d+\.copy\.zst$/

/** Each row ends with a line feed; those within values are escaped. */
export function countRows(text: Buffer): number {
  let count = 0
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) count++
  return count
}

/** What the file says of itself; reads no rows. Throws `conflict` for what is no backup. */
export async function readBackupHead(path: string): Promise<BackupHead> {
  for await (const member of readBackupFile(path)) return headOf(path, member)
  throw notABackup(path, 'it is empty')
}

function headOf(path: string, { name, content }: BackupMember): BackupHead {
  const head: unknown = name === BACKUP_HEAD ? parsed(path, content) : undefined
  if (!HEAD.Check(head)) throw notABackup(path, `it does not begin with ${BACKUP_HEAD} of format 1`)
  return head
}

/**
 * Its rows, table by table. What has been read is certain only at the end: only then are sums and counts compared, and
 * `conflict` is thrown when something is missing or changed.
 */
export async function* readBackupRows(path: string): AsyncIterable<BackupRows> {
  const seen: { rows: Record<string, number>; sha256: Record<string, string> } = { rows: {}, sha256: {} }
  let sums: unknown
  for await (const { name, content } of readBackupFile(path)) {
    if (name === BACKUP_SUMS) sums = parsed(path, content)
    else seen.sha256[name] = digestOf(content)
    if (name === BACKUP_HEAD)
      for (const table of headOf(path, { name, content }).tables) seen.rows[table.name] = 0
    const table = MEMBER.exec(name)?.groups?.['table']
    if (table === undefined) continue
    const text = await decompress(content, { maxOutputLength: CHUNK_BYTES_MAX }).catch(() => {
      throw notABackup(path, `${name} cannot be unpacked`)
    })
    const rows = countRows(text)
    seen.rows[table] = (seen.rows[table] ?? 0) + rows
    yield { table, rows, text }
  }
  if (!SUMS.Check(sums)) throw notABackup(path, 'it has no end')
  compare(path, sums, seen)
}

function compare(path: string, sums: BackupSums, seen: BackupSums): void {
  for (const name of new Set([...Object.keys(sums.sha256), ...Object.keys(seen.sha256)]))
    if (sums.sha256[name] !== seen.sha256[name]) throw notABackup(path, `${name} is missing or changed`)
  for (const table of new Set([...Object.keys(sums.rows), ...Object.keys(seen.rows)]))
    if (sums.rows[table] !== seen.rows[table])
      throw notABackup(path, `${table} has ${seen.rows[table] ?? 0} of ${sums.rows[table] ?? 0} rows`)
}

function parsed(path: string, content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch {
    throw notABackup(path, 'its description is not JSON')
  }
}
