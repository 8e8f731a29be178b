import { hostname } from 'node:os'
import product from '../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import { openRuntime, type Runtime } from './runtime.ts'
import { beCell } from '#platform/cells/number-ranges.ts'
import { conflict } from '#platform/errors.ts'
import { adoptKey } from '#platform/secrets/installation-key.ts'
import type { Feature } from '#platform/feature.ts'
import type { Log } from '#platform/observability/log.ts'
import type { Tracing } from '#platform/observability/open-telemetry.ts'
import type { Trace } from '#platform/observability/trace.ts'
import { migrate } from '#platform/database/migrate.ts'
import { openMailer, type Mailer } from '#platform/egress/mailer.ts'
import type { Metadata } from '#platform/egress/metadata.ts'
import { openNet, type Net } from '#platform/egress/net.ts'
import { keepsSessions } from '#platform/database/pooler-check.ts'
import { settingsFor, thisMachine } from '#platform/embedded-postgres/settings.ts'
import { unprivilegedUser } from '#platform/embedded-postgres/cluster-directory.ts'
import { archiveSettings, prepareArchive } from '#platform/backup/write-ahead-archive.ts'
import { startPostgres, type EmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.ts'
import { parseDatabaseUrl, type DatabaseAddress } from '#platform/database/address.ts'
import { waitForDatabase, type WaitOptions } from '#platform/database/wait-for-database.ts'
import { MIGRATIONS } from './migrations.ts'
import { secretKeyIn } from './secret-key.ts'

/** The major version; older ones lack what the migrations use. */
export const OLDEST_POSTGRESQL = 15

/** An installation as this process uses it; server and command line both start here, in any order, also concurrently. */
export interface Installation {
  readonly runtime: Runtime
  /** Another runtime on the same database, for features that were not loaded at the start. */
  readonly withFeatures: (features: readonly Feature[]) => Runtime
  readonly postgres: EmbeddedPostgres | undefined
  /** From now on, this port of HOST is no destination of deliveries. */
  readonly listensAt: (port: number) => void
  readonly close: () => Promise<void>
}

/**
 * Starts or joins the database, for which it waits up to a minute, brings it up to date and makes the runtime.
 * Throws `conflict` when SECRET_KEY is not the one that sealed the stored secrets. `given`: the only features that are
 * loaded; all, unless it says which.
 */
export async function openInstallation(
  config: Config,
  log: Log,
  stopping?: Promise<unknown>,
  given?: readonly Feature[],
): Promise<Installation> {
  const patience = { log, ...(stopping && { stopping }) }
  const { where, postgres } = await reachDatabase(config, patience)
  const { host } = config
  const own = [{ host, port: config.port }]
  const publicUrl = config.publicUrl ?? `http://${host}:${config.port}`
  const mailer = await mailerOf(config, publicUrl)
  const net = openNet({ allowPrivate: config.webhookAllowPrivate, own, proxy: config.feedsProxy })
  try {
    await waitForDatabase(patience, () => migrate(where, MIGRATIONS)).catch((cause: unknown) => {
      throw new Error('the database cannot be used', { cause })
    })
    const metadata = await metadataOf(config)
    const trace = await tracingOf(config, log)
    const features = given ?? (await allFeatures())
    const open = await runtimeOpener(config, where, { net, metadata, mailer, publicUrl, log, trace })
    const runtime = await checked(config, where, open(features))
    return {
      runtime,
      withFeatures: (more) => open(more, runtime),
      postgres,
      listensAt: (port) => void own.push({ host, port }),
      async close() {
        await runtime.close()
        await trace?.close()
        mailer?.close()
        await net.close()
        await postgres?.release()
      },
    }
  } catch (error) {
    await net.close()
    await postgres?.release()
    throw error
  }
}

/**
 * Where the database is; the embedded one runs from here on until it is released. With `patience`, waits for one that
 * is not there yet.
 */
export async function reachDatabase(
  config: Config,
  patience?: WaitOptions,
): Promise<{ where: DatabaseAddress; postgres: EmbeddedPostgres | undefined }> {
  const where = whereaboutsOf(config)
  if (!where) {
    const postgres = await startPostgres(config.dataDir, await embeddedSettings(config))
    return { where: postgres.where, postgres }
  }
  const ask = (): Promise<boolean> => keepsSessions(where)
  const isKept = await (patience ? waitForDatabase(patience, ask) : ask())
  if (!isKept && !where.direct) throw conflict(LOSES_SESSIONS)
  return { where: { ...where, losesSessions: !isKept }, postgres: undefined }
}

async function embeddedSettings({ walArchive }: Config): Promise<string[]> {
  const settings = settingsFor(thisMachine())
  if (walArchive === undefined) return settings
  await prepareArchive(walArchive, await unprivilegedUser())
  return [...settings, ...archiveSettings(walArchive)]
}

const LOSES_SESSIONS =
  'DATABASE_URL leads to a pooler in transaction mode, which gives each transaction another session; set' +
  ' DIRECT_DATABASE_URL to the database itself, or let the pooler work in session mode'

function whereaboutsOf({ databaseUrl, directDatabaseUrl }: Config): DatabaseAddress | undefined {
  if (!databaseUrl) return undefined
  const direct = directDatabaseUrl === undefined ? undefined : parseDatabaseUrl(directDatabaseUrl)
  const where = parseDatabaseUrl(databaseUrl)
  if (direct && where.others)
    throw conflict('DATABASE_URL names one host, that of the pooler, where DIRECT_DATABASE_URL is set')
  return { ...where, ...(direct && { direct }) }
}

/** One server only: of several, the age of the data would not be known. */
function replicaOf({ readDatabaseUrl }: Config): DatabaseAddress | undefined {
  const where = readDatabaseUrl === undefined ? undefined : parseDatabaseUrl(readDatabaseUrl)
  if (where?.others) throw conflict('READ_DATABASE_URL names one host, that of a standby')
  return where
}

async function metadataOf(config: Config): Promise<Metadata | undefined> {
  if (!config.cloudMetadata) return undefined
  const [{ openMetadata }, { workloadIdentity }] = await Promise.all([
    import('#platform/egress/metadata.ts'),
    import('#platform/egress/workload-identity.ts'),
  ])
  return openMetadata(workloadIdentity(config))
}

/** Its parts are loaded where they are asked for alone. */
async function tracingOf(config: Config, log: Log): Promise<Tracing | undefined> {
  const { tracesEndpoint: endpoint, tracesHeaders, tracesShare: share, serviceName } = config
  if (endpoint === undefined) return undefined
  const { openTracing } = await import('#platform/observability/open-telemetry.ts')
  const instance = `${hostname()}:${process.pid}`
  return openTracing({
    endpoint,
    headers: tracesHeaders,
    serviceName,
    version: product.version,
    instance,
    share,
    log,
  })
}

async function mailerOf(
  { smtpUrl, smtpTls, mailFrom }: Config,
  publicUrl: string,
): Promise<Mailer | undefined> {
  if (smtpUrl === undefined) return undefined
  const from = mailFrom ?? `rollcall@${new URL(publicUrl).hostname}`
  return openMailer({ url: smtpUrl, from, tls: smtpTls })
}

interface Ports {
  readonly net: Net
  readonly metadata: Metadata | undefined
  readonly mailer: Mailer | undefined
  readonly publicUrl: string
  readonly log: Log
  readonly trace: Trace | undefined
}

const allFeatures = async (): Promise<readonly Feature[]> => (await import('../app.ts')).features

async function runtimeOpener(
  config: Config,
  where: DatabaseAddress,
  ports: Ports,
): Promise<(features: readonly Feature[], base?: Runtime) => Runtime> {
  const secretKey = config.secretKey ?? (await secretKeyIn(config.dataDir))
  const replica = replicaOf(config)
  return (features, base) =>
    openRuntime({
      where,
      replica,
      secretKey,
      features,
      cell: config.cell,
      limits: { endpoints: config.webhooksPerTenant },
      fontsFolder: config.reportFonts,
      ...(base && { base }),
      ...ports,
    })
}

/** The runtime, unless the database is of another key or cell. */
async function checked(config: Config, where: DatabaseAddress, runtime: Runtime): Promise<Runtime> {
  try {
    if (!(await adoptKey(runtime.system))) throw conflict(ANOTHER_KEY)
    if (config.cell !== undefined) await beCell(where, config.cell)
    return runtime
  } catch (error) {
    await runtime.close()
    throw error
  }
}

const ANOTHER_KEY =
  'SECRET_KEY is not the key that sealed the stored secrets of this database; start with the one it was set up with'
