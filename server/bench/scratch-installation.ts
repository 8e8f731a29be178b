import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { settingsFor, thisMachine } from '#platform/embedded-postgres/settings.ts'
import { startPostgres } from '#platform/embedded-postgres/embedded-postgres.ts'
import { readConfig, type Config } from '../src/config.ts'
import type { Runtime } from '../src/startup/runtime.ts'
import { openInstallation } from '../src/startup/installation.ts'
import { seedFindings } from './seed/seeded-findings.ts'
import { seedTenant } from './seed/seed.ts'

export interface ScratchOptions {
  readonly size: number
  /** Of each asset, with software and records; absent: none of these. */
  readonly findingsEach?: number
  /** A folder that keeps the seeded database for the next time; absent: a temporary one that goes with the scratch. */
  readonly keepIn: string | undefined
  /** What else is done to the seeded tenant before it is kept. */
  readonly prepare?: Preparation
  readonly say: (text: string) => void
}

export interface Preparation {
  /** A word that is part of the name of what is kept. */
  readonly name: string
  /** The files that it follows from. */
  readonly recipe: readonly string[]
  readonly run: (runtime: Runtime, superuser: DatabaseAddress, tenantId: string) => Promise<void>
}

/** An installation of its own with one seeded tenant: the embedded PostgreSQL as in production, nothing shared. */
export interface Scratch {
  readonly runtime: Runtime
  readonly where: DatabaseAddress
  /** Of the same database: sees all, bound to no tenant. */
  readonly superuser: DatabaseAddress
  /** For other processes of the same installation. */
  readonly environment: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

const RATE_LIMIT_PER_MINUTE = 1_000_000_000

export async function openScratch(options: ScratchOptions): Promise<Scratch> {
  const dataDir = options.keepIn ? resolve(options.keepIn) : await temporaryFolder()
  const environment = {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT_PER_MINUTE),
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  }
  const config = readConfig(environment)
  const postgres = await startPostgres(dataDir, settingsFor(thisMachine()))
  const leave = async (): Promise<void> => {
    await postgres.release()
    if (!options.keepIn) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const superuser = { ...postgres.superuser, database: String(postgres.where.database) }
    await fillDatabase(config, { ...options, where: postgres.where, superuser })
    const installation = await openInstallation(config, openLog(config.logLevel))
    const close = async (): Promise<void> => {
      await installation.close()
      await leave()
    }
    return { runtime: installation.runtime, where: postgres.where, superuser, environment, close }
  } catch (error) {
    await leave()
    throw error
  }
}

/** As root PostgreSQL runs as another user, who has to pass through the folder. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-bench-'))
  await chmod(folder, 0o755)
  return folder
}

interface Filling extends ScratchOptions {
  readonly where: DatabaseAddress
  readonly superuser: DatabaseAddress
}

/** A kept database is copied, so that what a run writes is gone in the next. */
async function fillDatabase(
  config: Config,
  { size, findingsEach = 0, keepIn, prepare, say, where, superuser }: Filling,
): Promise<void> {
  const name = String(where.database)
  const kept = `kept_${size}_${findingsEach}_${prepare ? `${prepare.name}_` : ''}${await recipe(prepare?.recipe)}`
  if (keepIn && (await hasDatabase(superuser, kept))) {
    say(`taking the ${size} assets kept in ${keepIn}`)
    await administer(superuser, `drop database if exists ${name} with (force)`)
    return administer(
      superuser,
      `create database ${name} template ${kept} strategy file_copy owner ${where.user}`,
    )
  }
  if (keepIn) {
    await dropStale(superuser)
    await administer(superuser, `drop database if exists ${name} with (force)`)
    await administer(superuser, `create database ${name} owner ${where.user}`)
  }
  say(`seeding ${size} assets`)
  const installation = await openInstallation(config, openLog(config.logLevel))
  try {
    const tenant = await seedTenant(installation.runtime, superuser, size, { isNeverStale: true })
    if (findingsEach > 0) {
      say(`seeding ${findingsEach} findings and some software for each of them`)
      await seedFindings(superuser, tenant.id, findingsEach)
    }
    await prepare?.run(installation.runtime, superuser, tenant.id)
  } finally {
    await installation.close()
  }
  if (keepIn) await administer(superuser, `create database ${kept} template ${name} strategy file_copy`)
}

const RECIPE = ['seed.ts', 'seeded-assets.ts', 'seeded-findings.ts', 'intake-rows.ts']

/** What the seeded rows follow from: with another recipe a kept database is of no use. Migrations are applied to it. */
async function recipe(more: readonly string[] = []): Promise<string> {
  const files = [...RECIPE.map((file) => join(import.meta.dirname, 'seed', file)), ...more]
  const texts = await Promise.all(files.map((file) => readFile(file)))
  return createHash('sha256').update(Buffer.concat(texts)).digest('hex').slice(0, 12)
}

async function hasDatabase(superuser: DatabaseAddress, name: string): Promise<boolean> {
  return asSuperuser(superuser, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    return rowCount === 1
  })
}

/** Made by another recipe, or of another size: each is gigabytes. */
async function dropStale(superuser: DatabaseAddress): Promise<void> {
  await asSuperuser(superuser, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'kept\\_%'`,
    )
    for (const { datname } of rows) await client.query(`drop database ${datname}`)
  })
}

const administer = (superuser: DatabaseAddress, statement: string): Promise<void> =>
  asSuperuser(superuser, async (client) => void (await client.query(statement)))

async function asSuperuser<T>(
  superuser: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...superuser, database: 'postgres' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
