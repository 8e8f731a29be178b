import { chown, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { User } from '../embedded-postgres/binaries.ts'
import { prepareClusterDirectory, type ClusterDirectory } from '../embedded-postgres/cluster-directory.ts'
import {
  isPostmasterAlive,
  SOCKET_PORT,
  spawnPostmaster,
  stopPostmaster,
} from '../embedded-postgres/postmaster.ts'
import { conflict } from '../errors.ts'
import { baseBefore, copyFolder, hasLog, type Base } from './base-backup.ts'
import { recoverySettings } from './write-ahead-archive.ts'

export interface Moment {
  readonly archive: string
  readonly to: Date
  /** Holds no database yet. */
  readonly dataDir: string
}

export interface Restored {
  /** The folder of the copy from which the log was played. */
  readonly base: string
  /** When the last change that is in it was committed; undefined when none came after the copy. */
  readonly lastAt: Date | undefined
}

const STOP_TIMEOUT_MS = 60_000
const START_MS = 20_000
const POLL_MS = 50

/** Copies the newest base before the moment and lets PostgreSQL play its log until then. What fails leaves nothing behind. */
export async function restoreCluster(moment: Moment, settings: readonly string[]): Promise<Restored> {
  const { archive, to, dataDir } = moment
  const base = (await hasLog(archive)) ? await baseBefore(archive, to) : undefined
  if (!base) throw conflict(`${archive} holds no base from before ${to.toISOString()}, or no write-ahead log`)
  await refuseOccupied(dataDir)
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dataDir, 'postgres.password'), base.password, { mode: 0o600, flag: 'wx' })
  const place = await prepareClusterDirectory(dataDir)
  try {
    await layFiles(place, base)
    await spawnPostmaster(place, [...settings, ...recoverySettings(archive, to)])
    return { base: base.folder, lastAt: await played(place) }
  } catch (error) {
    await stopPostmaster(place.cluster, STOP_TIMEOUT_MS)
    await rm(place.cluster, { recursive: true, force: true })
    await rm(join(dataDir, 'postgres.password'), { force: true })
    throw error
  } finally {
    await stopPostmaster(place.cluster, STOP_TIMEOUT_MS)
  }
}

async function refuseOccupied(dataDir: string): Promise<void> {
  for (const path of ['postgres.password', 'postgres/PG_VERSION', 'postgres/postgres'])
    if (await lstat(join(dataDir, path)).catch(() => undefined))
      throw conflict(`${dataDir} holds a database already; move it away, or set DATA_DIR to another folder`)
}

/** Under another name first: what is there under its own name is whole. */
async function layFiles({ cluster, runAs }: ClusterDirectory, { folder }: Base): Promise<void> {
  const unfinished = `${cluster}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await copyFolder(join(folder, 'files'), unfinished)
  await writeFile(join(unfinished, 'recovery.signal'), '', { mode: 0o600, flush: true })
  if (runAs) await give(unfinished, runAs)
  await rm(cluster, { recursive: true })
  await rename(unfinished, cluster)
}

async function give(folder: string, to: User): Promise<void> {
  await chown(folder, to.uid, to.gid)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chown(join(entry.parentPath, entry.name), to.uid, to.gid)
}

/** When the log has been played and the database takes writes; refuses with PostgreSQL's words when it gave up. */
async function played(place: ClusterDirectory): Promise<Date | undefined> {
  let wasAlive = false
  for (const startedAt = performance.now(); ;) {
    const state = await stateOf(place)
    if (state && !state.in_recovery) return state.last_at ?? undefined
    const isAlive = await isPostmasterAlive(place.cluster)
    // its process begins a while before it says so
    const isOver = wasAlive || performance.now() - startedAt > START_MS
    if (!state && !isAlive && isOver) throw conflict(await lastWordsOf(place))
    wasAlive ||= isAlive
    await sleep(POLL_MS)
  }
}

interface State {
  readonly in_recovery: boolean
  readonly last_at: Date | null
}

/** Undefined while nobody answers. */
async function stateOf({ socketFolder: host, password }: ClusterDirectory): Promise<State | undefined> {
  const client = new pg.Client({ host, port: SOCKET_PORT, password, user: 'postgres', database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<State>(
      'select pg_is_in_recovery() as in_recovery, pg_last_xact_replay_timestamp() as last_at',
    )
    return rows[0]
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

/** Of the last change it says a moment that can be asked for, in milliseconds as `--to` takes them. */
async function lastWordsOf({ log }: ClusterDirectory): Promise<string> {
  const text = await readFile(log, 'utf8')
  const lines = text.split('\n').filter((line) => /(?:FATAL|PANIC):(?!.*the database system is)/.test(line))
  const said = lines.at(-1)?.replace(/^.*(?:FATAL|PANIC):\s*/, '') ?? 'no reason given'
  const lastAt = [...text.matchAll(/last completed transaction was at log time (.+)/g)].at(-1)?.[1]
  const end =
    lastAt &&
    `; the last change in it is of ${new Date(lastAt).toISOString()}: ask for that moment or an earlier one`
  return `PostgreSQL did not reach that moment (${said}); the log in the archive may end before it${end ?? ''}`
}
