import { readFileSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { parseException } from '#platform/egress/address-exceptions.ts'
import { tlsModes, type TlsMode } from '#platform/egress/mailer.ts'
import type { CellAddresses } from '#platform/cells/cell.ts'
import {
  cellAddresses,
  cellNumber,
  cidr,
  databaseUrl,
  each,
  httpUrl,
  list,
  longEnough,
  mailAddress,
  oneOf,
  port,
  positive,
  smtpUrl,
  text,
} from './config-values.ts'
import { deliverySettings } from './config-deliveries.ts'
import { defaultRoles, roleList } from './config-roles.ts'
import { tracingSettings } from './config-tracing.ts'
import { workloadIdentitySettings } from './config-workload-identity.ts'
import { LOG_LEVELS, type LogLevel } from '#platform/observability/log.ts'

/** One setting: how its text becomes a value, what it is when absent, and a sentence for docs/configuration.md. */
interface Setting<T> {
  readonly name: string
  readonly parse: (text: string) => T
  readonly fallback: T
  /** The fallback in words, where the value does not speak for itself. */
  readonly otherwise?: string
  readonly help: string
  readonly secret?: true
}

const setting = <T>(it: Setting<T>): Setting<T> => it

/** Everything the environment decides. Settings that a tenant may change are rows, not variables. */
export const settings = {
  host: setting({ name: 'HOST', parse: text, fallback: '127.0.0.1', help: 'Address the server listens on.' }),
  port: setting({
    name: 'PORT',
    parse: port,
    fallback: 8080,
    help: 'Port the server listens on; 0 takes a free one.',
  }),
  fleetPort: setting({
    name: 'FLEET_PORT',
    parse: port,
    fallback: undefined,
    otherwise: 'none',
    help: 'A second port on HOST that answers osquery at the paths of Fleet, so that its hosts come over by a change of address; put it behind the TLS that they trust. Served by the role api; 0 takes a free one.',
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    parse: (value) => resolve(value),
    fallback: resolve('data'),
    otherwise: './data',
    help: 'Folder for the embedded database and the secrets made at first start.',
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    parse: databaseUrl,
    fallback: undefined,
    otherwise: 'embedded PostgreSQL below DATA_DIR',
    help: 'PostgreSQL 15 or newer, as a role that owns its database and may create roles. Several hosts, with commas between them, are servers of one database; the one that takes writes is used.',
    secret: true,
  }),
  directDatabaseUrl: setting({
    name: 'DIRECT_DATABASE_URL',
    parse: databaseUrl,
    fallback: undefined,
    otherwise: 'DATABASE_URL',
    help: 'The same database past the connection pooler that DATABASE_URL leads to; needed where that gives each transaction another session (PgBouncer in transaction mode).',
    secret: true,
  }),
  readDatabaseUrl: setting({
    name: 'READ_DATABASE_URL',
    parse: databaseUrl,
    fallback: undefined,
    otherwise: 'none: everything is read at DATABASE_URL',
    help: 'One streaming standby of the same database, for reads that may be up to five seconds old: exports, reports, counts, facets. The same on every node.',
    secret: true,
  }),
  walArchive: setting({
    name: 'WAL_ARCHIVE',
    parse: (value): string | undefined => resolve(value),
    fallback: undefined,
    otherwise: 'none: restores to files of rollcall backup alone',
    help: 'Folder, best on another disk, in which the embedded PostgreSQL keeps its write-ahead log, so that rollcall restore --to goes back to any moment; for your own PostgreSQL use its own means.',
  }),
  cell: setting({
    name: 'CELL',
    parse: cellNumber,
    fallback: undefined as number | undefined,
    otherwise: 'none: the only installation',
    help: 'The number of this installation among several, 0 to 511, each of which serves some of the organisations; never changed afterwards.',
  }),
  cellAddresses: setting({
    name: 'CELL_ADDRESSES',
    parse: cellAddresses,
    fallback: undefined as CellAddresses | undefined,
    otherwise: 'none',
    help: 'With CELL: where the cells are reached, such as 0=https://a.example.org,1=https://b.example.org; keys of another one are answered 421 with its address.',
  }),
  publicUrl: setting({
    name: 'PUBLIC_URL',
    parse: httpUrl,
    fallback: undefined,
    otherwise: 'http://HOST:PORT',
    help: 'Address under which people and scripts reach the server.',
  }),
  roles: setting({
    name: 'ROLES',
    parse: roleList,
    fallback: [...defaultRoles],
    otherwise: defaultRoles.join(','),
    help: 'What this process does: answer requests (api), work on jobs and deliveries (worker), send deliveries alone (deliveries), start periodic work (scheduler). Or collector alone: scan for the server of COLLECTOR_SERVER.',
  }),
  collectorServer: setting({
    name: 'COLLECTOR_SERVER',
    parse: httpUrl,
    fallback: undefined,
    otherwise: 'none',
    help: 'With ROLES=collector: the server to scan for, such as https://rollcall.example.com.',
  }),
  collectorSecret: setting({
    name: 'COLLECTOR_SECRET',
    parse: text,
    fallback: undefined,
    otherwise: 'none',
    help: 'With ROLES=collector: the secret that rollcall collector create printed; needed at the first start alone.',
    secret: true,
  }),
  secretKey: setting({
    name: 'SECRET_KEY',
    parse: longEnough,
    fallback: undefined,
    otherwise: 'made once in DATA_DIR/secret.key, mode 600',
    help: 'Encrypts stored secrets; at least 32 characters. Every node of an installation has the same.',
    secret: true,
  }),
  trustedProxies: setting({
    name: 'TRUSTED_PROXIES',
    parse: (value) => each(list(value), cidr),
    fallback: [] as readonly string[],
    otherwise: 'none',
    help: 'Comma-separated CIDRs of reverse proxies whose X-Forwarded-For is believed.',
  }),
  webhookAllowPrivate: setting({
    name: 'WEBHOOK_ALLOW_PRIVATE',
    parse: (value) => each(list(value), parseException),
    fallback: [] as readonly string[],
    otherwise: 'none',
    help: 'Comma-separated CIDRs or hosts, each with an optional :port, that webhooks and single sign-on may reach although they are private.',
  }),
  smtpUrl: setting({
    name: 'SMTP_URL',
    parse: smtpUrl,
    fallback: undefined,
    otherwise: 'none: no mail is sent',
    help: 'Mail server for notices: smtp://user:password@host:587 or smtps://host:465.',
    secret: true,
  }),
  smtpTls: setting({
    name: 'SMTP_TLS',
    parse: (value) => oneOf(tlsModes, value),
    fallback: 'required' as TlsMode,
    help: `For smtp: addresses. One of ${tlsModes.join(', ')}: whether STARTTLS must succeed with a certificate that is trusted, is tried, or is left out.`,
  }),
  mailFrom: setting({
    name: 'MAIL_FROM',
    parse: mailAddress,
    fallback: undefined,
    otherwise: 'rollcall@ the host of PUBLIC_URL',
    help: 'Sender address of mail.',
  }),
  webhooksPerTenant: setting({
    name: 'WEBHOOKS_PER_TENANT',
    parse: positive,
    fallback: 200,
    help: 'Webhook endpoints that a tenant may have.',
  }),
  feedsProxy: setting({
    name: 'FEEDS_PROXY',
    parse: httpUrl,
    fallback: undefined,
    otherwise: 'none',
    help: 'HTTP proxy through which vulnerability feeds are fetched.',
    secret: true,
  }),
  cloudMetadata: setting({
    name: 'CLOUD_METADATA',
    parse: (value) => oneOf(['true', 'false'], value) === 'true',
    fallback: false,
    help: 'Whether connections to clouds may sign in as the machine on which the server runs: every tenant may then.',
  }),
  ...deliverySettings,
  ...tracingSettings,
  ...workloadIdentitySettings,
  reportFonts: setting({
    name: 'REPORT_FONTS',
    parse: (value): string | undefined => resolve(value),
    fallback: undefined,
    help: 'Folder of fonts (.ttf, .otf, .ttc) for the PDF of reports, used in the order of their names for characters that the fonts of the product lack, such as Chinese ones. The same on every node.',
  }),
  rateLimitPerMinute: setting({
    name: 'RATE_LIMIT_PER_MINUTE',
    parse: positive,
    fallback: 100,
    help: 'REST requests a minute for each API key, or for each client address without one.',
  }),
  metricsToken: setting({
    name: 'METRICS_TOKEN',
    parse: longEnough,
    fallback: undefined,
    otherwise: 'none: GET /metrics answers to this machine alone',
    help: 'Whoever shows it as Authorization: Bearer … is answered GET /metrics from afar too; at least 32 characters.',
    secret: true,
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    parse: (value) => oneOf(LOG_LEVELS, value),
    fallback: 'info' as LogLevel,
    help: `One of ${LOG_LEVELS.join(', ')}.`,
  }),
}

export type Config = {
  readonly [K in keyof typeof settings]:
    | ReturnType<(typeof settings)[K]['parse']>
    | (typeof settings)[K]['fallback']
}

/** The environment does not fit: every problem, each naming its variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Reads all settings at once. `X_FILE` names a file that holds the value of `X`. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []
  const read = (it: Setting<unknown>): unknown => {
    try {
      const value = rawValue(environment, it.name)
      return value === undefined ? it.fallback : it.parse(value)
    } catch (error) {
      problems.push(`${it.name}: ${(error as Error).message}`)
      return undefined
    }
  }
  const config = Object.fromEntries(
    Object.entries(settings).map(([key, it]) => [key, read(it as Setting<unknown>)]),
  )
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config) as Config
}

/** Where the operating system looks for programs. */
export const executableFolders = (): readonly string[] =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'].filter(Boolean)

/** For a process of the product beside this one. */
export const childEnvironment = (changed: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...changed,
})

/** For the log: every setting by its name, secrets only as set or unset. */
export function describeConfig(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, it]) => {
      const value = config[key as keyof Config]
      return [it.name, 'secret' in it ? (value === undefined ? 'unset' : 'set') : value]
    }),
  )
}

function rawValue(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const direct = environment[name]
  const file = environment[`${name}_FILE`]
  if (direct && file) throw new Error(`set either ${name} or ${name}_FILE`)
  if (file) return readFileSync(file, 'utf8').trim()
  return direct === '' ? undefined : direct
}
