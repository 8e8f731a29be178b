import { hostname } from 'node:os'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { features } from '../app.ts'
import type { Config } from '../config.ts'
import { fail, ok, warn, type Check } from './check.ts'
import { moves } from './moves-check.ts'
import { queue } from './queue-check.ts'
import { clock, replicas } from './replication-checks.ts'
import { openRuntime } from '../startup/runtime.ts'
import { secretKeyIn } from '../startup/secret-key.ts'
import { MIGRATIONS } from '../startup/migrations.ts'
import { OLDEST_POSTGRESQL, reachDatabase } from '../startup/installation.ts'
import type { Ctx } from '#platform/context.ts'
import { databaseFacts, type DatabaseFacts } from '#platform/database/server-facts.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { daysSinceBackup } from '#platform/backup/last-backup.ts'
import { keyState } from '#platform/secrets/installation-key.ts'
import { openLog } from '#platform/observability/log.ts'
import { migrationState } from '#platform/database/migrate.ts'
import { openNet } from '#platform/egress/net.ts'
import { listNodes } from '#platform/jobs/cluster-members.ts'
import { portState } from '#platform/http/port-availability.ts'

/** The checks that need a connection to the database. */
export async function databaseChecks(config: Config): Promise<Check[]> {
  let reached: Awaited<ReturnType<typeof reachDatabase>>
  try {
    reached = await reachDatabase(config)
  } catch (error) {
    return [fail('database', messageOf(error), adviceFor(config)), await port(config, undefined)]
  }
  try {
    const facts = await databaseFacts(reached.where)
    return [
      ...judge(facts),
      ...replicas(facts),
      clock(facts),
      ...(await checkInstallation(config, reached.where)),
    ]
  } catch (error) {
    return [fail('database', messageOf(error), adviceFor(config))]
  } finally {
    await reached.postgres?.release()
  }
}

const adviceFor = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl
    ? 'Check DATABASE_URL, and that the server runs and lets this machine in.'
    : `See ${join(dataDir, 'postgres.log')}.`

/** Connection failures to several addresses come without words of their own. */
const messageOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : (error as Error).message

export function judge(facts: DatabaseFacts): Check[] {
  const checks: Check[] = []
  if (facts.versionNumber < OLDEST_POSTGRESQL * 10_000)
    checks.push(fail('database', `PostgreSQL ${facts.version}`, `At least ${OLDEST_POSTGRESQL} is needed.`))
  else checks.push(ok('database', `PostgreSQL ${facts.version}`))
  if (!facts.isUtf8) checks.push(fail('encoding', 'not UTF8', "Make the database with encoding 'UTF8'."))
  if (!facts.mayCreate)
    checks.push(fail('rights', 'may not create tables', 'alter database … owner to the role of DATABASE_URL'))
  if (!facts.hasRoles)
    checks.push(
      fail('roles', 'may not create roles', 'alter role … createrole, for the role of DATABASE_URL'),
    )
  for (const name of facts.missingExtensions)
    checks.push(fail('extensions', `${name} is not installed`, 'Install PostgreSQL’s contrib package.'))
  return checks
}

async function checkInstallation(config: Config, where: DatabaseAddress): Promise<Check[]> {
  const { pending, applied } = await migrationState(where, MIGRATIONS)
  if (applied.length === 0)
    return [ok('migrations', 'none yet: the first start makes the tables'), await port(config, undefined)]
  const net = openNet()
  const runtime = openRuntime({
    where,
    features,
    net,
    log: openLog('silent'),
    secretKey: (await existingKey(config)) ?? '',
  })
  try {
    const { system } = runtime
    const state = migrations(pending)
    const work =
      pending.length === 0
        ? [await backupAge(config, system), await queue(system), ...(await moves(system))]
        : []
    return [state, await secretKey(config, system), ...work, await port(config, system)]
  } finally {
    await runtime.close()
    await net.close()
  }
}

const migrations = (pending: readonly string[]): Check =>
  pending.length === 0
    ? ok('migrations', 'up to date')
    : warn(
        'migrations',
        `${pending.length} to apply`,
        'The next start applies them; so does rollcall migrate.',
      )

/** The SECRET_KEY that the server would use; undefined where it would generate one, which a check never does. */
async function existingKey(config: Config): Promise<string | undefined> {
  if (config.secretKey) return config.secretKey
  const isKept = await access(join(config.dataDir, 'secret.key')).then(
    () => true,
    () => false,
  )
  return isKept ? secretKeyIn(config.dataDir) : undefined
}

async function secretKey(config: Config, system: Ctx): Promise<Check> {
  const state = await keyState(system)
  if (state === 'new') return ok('secret key', 'nothing is sealed yet')
  if (state === 'same') return ok('secret key', 'the one that sealed the stored secrets')
  const advice = 'Set SECRET_KEY, or put secret.key into DATA_DIR, as at the first start; a backup has it.'
  return (await existingKey(config)) === undefined
    ? fail('secret key', 'missing', advice)
    : fail('secret key', 'not the one that sealed the stored secrets', advice)
}

const BACKUP_DAYS_MAX = 7

/** A database of one's own is often backed up by other means, which nobody tells us of. */
async function backupAge({ databaseUrl }: Config, system: Ctx): Promise<Check> {
  const days = await daysSinceBackup(system)
  const last = days === undefined ? 'none by rollcall backup' : `the last one ${describeDays(days)} ago`
  if (databaseUrl || (days !== undefined && days <= BACKUP_DAYS_MAX)) return ok('backup', last)
  return warn(
    'backup',
    last,
    'rollcall backup FOLDER takes one while the server runs; let cron do it each day.',
  )
}

const describeDays = (days: number): string =>
  days < 2 ? `${Math.round(days * 24)} hours` : `${Math.floor(days)} days`

async function port({ host, port: number }: Config, system: Ctx | undefined): Promise<Check> {
  const state = await portState(host, number)
  if (state === 'free') return ok('port', `${host}:${number} is free`)
  const nodes = system ? await listNodes(system) : []
  const ours = nodes.find((it) => it.host === hostname() && it.roles.includes('api'))
  if (state === 'taken' && ours)
    return ok('port', `${host}:${number} is taken, by our server with pid ${ours.pid}`)
  return fail('port', `${host}:${number}: ${state}`, 'Set HOST and PORT to an address that is free.')
}
