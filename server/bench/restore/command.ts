import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { verifyAudit } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import { getTenantBySlug } from '#features/tenancy/tenancy.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { invalid } from '#platform/errors.ts'
import { openLog } from '#platform/observability/log.ts'
import { backupBase } from '../../src/commands/backup-base.ts'
import { restoreMoment } from '../../src/commands/restore-moment.ts'
import { readConfig, type Config } from '../../src/config.ts'
import { runChecks } from '../../src/doctor/doctor.ts'
import { openInstallation, reachDatabase } from '../../src/startup/installation.ts'
import { seedTenant, TENANT_SLUG } from '../seed/seed.ts'
import { observationOf, SOURCE } from '../seed/seeded-assets.ts'

const SIZE_DEFAULT = 200_000
const SECRET_KEY = 'k'.repeat(32)
/** After the base, so that the log has to be played. */
const WRITTEN = 2_000
const BATCH = 1_000
const LOOK_MS = 200
const TABLES = [
  'assets',
  'asset_observations',
  'asset_identifiers',
  'asset_search',
  'audit_entries',
  'events',
]

/** Restores an estate to a moment behind its base, on an empty folder, and checks it. */
export async function benchRestore({ options }: CommandInput): Promise<CommandResult> {
  const size = Number(options['assets'] ?? SIZE_DEFAULT)
  if (!Number.isInteger(size) || size < BATCH) throw invalid('assets', `must be a whole number from ${BATCH}`)
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-restore-'))
  await chmod(folder, 0o755)
  try {
    const here = configOf(folder, 'here')
    const { moment, before, baseSeconds } = await fill(here, size)
    const there = configOf(folder, 'there')
    const begun = performance.now()
    await restoreMoment(there, here.walArchive ?? '', { keyFile: undefined, to: moment })
    const restored = secondsSince(begun)
    const checked = await checkedCounts(there)
    const seconds = secondsSince(begun)
    const isSame = JSON.stringify(before) === JSON.stringify(checked.counts)
    const isGood = isSame && checked.faults === 0 && checked.isHealthy
    const load = loadavg().map((it) => it.toFixed(1))
    return {
      json: { size, baseSeconds, restored, seconds, isSame, ...checked, load },
      text: [
        `load ${load.join(' ')}`,
        `base of ${size} assets: ${baseSeconds.toFixed(1)} s`,
        `restored to the moment: ${restored.toFixed(1)} s; started, checked and compared: ${seconds.toFixed(1)} s in all (wanted 120 for 200,000)`,
        `counts ${isSame ? 'equal' : 'DIFFERENT'}; audit: ${checked.faults} faults; doctor: ${checked.isHealthy ? 'healthy' : 'NOT healthy'}`,
      ].join('\n'),
      ...(isGood ? {} : { isBad: true }),
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
  }
}

const configOf = (folder: string, name: string): Config =>
  readConfig({
    DATA_DIR: join(folder, name),
    WAL_ARCHIVE: join(folder, `archive-${name}`),
    SECRET_KEY,
    PORT: '0',
    LOG_LEVEL: 'warn',
  })

interface Filled {
  /** Behind the base and what was written after it. */
  readonly moment: string
  readonly before: Counts
  readonly baseSeconds: number
}

async function fill(config: Config, size: number): Promise<Filled> {
  const { where, postgres } = await reachDatabase(config)
  if (!postgres) throw new Error('the database is not the embedded one')
  const superuser = { ...postgres.superuser, database: String(where.database) }
  const installation = await openInstallation(config, openLog(config.logLevel))
  try {
    process.stderr.write(`seeding ${size} assets\n`)
    const { id } = await seedTenant(installation.runtime, superuser, size)
    const begun = performance.now()
    await backupBase(config)
    const baseSeconds = secondsSince(begun)
    const ctx = installation.runtime.contextFor(id)
    for (let from = 0; from < WRITTEN; from += BATCH)
      await submit(
        ctx,
        SOURCE,
        Array.from({ length: BATCH }, (_, n) => observationOf(size + from + n)),
      )
    const before = await countsOf(where)
    const moment = await oneOf<Date>(where, 'select clock_timestamp() as it')
    await oneOf(where, `with gone as (delete from asset_search returning 1) select count(*) as it from gone`)
    const last = await oneOf<string>(superuser, 'select pg_walfile_name(pg_switch_wal()) as it')
    const kept = () => readdir(join(config.walArchive ?? '', 'wal'))
    while (!(await kept()).includes(`${last}.gz`)) await sleep(LOOK_MS)
    return { moment: moment.toISOString(), before, baseSeconds }
  } finally {
    await installation.close()
    await postgres.release()
  }
}

async function checkedCounts(config: Config) {
  const { where, postgres } = await reachDatabase(config)
  const installation = await openInstallation(config, openLog(config.logLevel))
  try {
    const { id } = await getTenantBySlug(installation.runtime.system, TENANT_SLUG)
    const { faults } = await verifyAudit(installation.runtime.contextFor(id))
    const { isBad } = await runChecks(config)
    return { counts: await countsOf(where), faults: faults.length, isHealthy: isBad !== true }
  } finally {
    await installation.close()
    await postgres?.release()
  }
}

type Counts = Readonly<Record<string, number>>

async function countsOf(where: DatabaseAddress): Promise<Counts> {
  const counts: Record<string, number> = {}
  for (const table of TABLES) counts[table] = await oneOf(where, `select count(*)::int as it from ${table}`)
  return counts
}

async function oneOf<T>(where: DatabaseAddress, statement: string): Promise<T> {
  const client = new pg.Client(where)
  await client.connect()
  try {
    return (await client.query<{ it: T }>(statement)).rows[0]?.it as T
  } finally {
    await client.end()
  }
}

const secondsSince = (begun: number): number => (performance.now() - begun) / 1_000
