import { features } from './app.ts'
import { readConfig, type Config } from './config.ts'
import { describeFailure, DONE, ended, REFUSED } from './failure.ts'
import { maintenanceCommands } from './commands/commands.ts'
import type { MaintenanceCommand } from './commands/maintenance-command.ts'
import { releaseWhenAsked } from './startup/shutdown.ts'
import { openInstallation } from './startup/installation.ts'
import { getTenantBySlug, listTenants } from '#features/tenancy/tenancy.ts'
import { wouldChange } from '#features/changes/changes.ts'
import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import { liftJson, parseCommandLine, UsageError, type Parsed } from '#platform/cli/command-line.ts'
import { usageOf } from '#platform/cli/help.ts'
import type { Ctx } from '#platform/context.ts'
import { addressInUse } from '#platform/jobs/cluster-members.ts'
import { openLog, type LogLevel } from '#platform/observability/log.ts'

export interface Streams {
  readonly out: (text: string) => Promise<void>
  readonly err: (text: string) => Promise<void>
}

/** Runs one command and returns the exit code. With `--json`, exactly one JSON value is written to `out`. */
export async function runCommandLine(given: readonly string[], { out, err }: Streams): Promise<number> {
  const { words, isJson } = liftJson(given)
  try {
    const parsed = parseCommandLine(words, allCommands())
    const result = 'help' in parsed ? { json: parsed, text: parsed.help } : await run(parsed, out)
    if (result) await out(isJson ? `${JSON.stringify(result.json)}\n` : ended(result.text))
    return result?.isBad ? REFUSED : DONE
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return DONE // the reader of the pipe has closed it
    const failure = describeFailure(error)
    await err(ended(failure.text))
    if (isJson) await out(`${JSON.stringify({ error: failure.code, message: failure.message })}\n`)
    return failure.exitCode
  }
}

const allCommands = (): (Command | MaintenanceCommand)[] => [
  ...maintenanceCommands,
  ...features.flatMap((it): readonly Command[] => it.commands ?? []),
]

/** Undefined when the command has written all its output. */
async function run(
  { command, ...call }: Parsed<Command | MaintenanceCommand>,
  out: Streams['out'],
): Promise<CommandResult | undefined> {
  if ('runStandalone' in command) return command.runStandalone(readConfig, call.input, out)
  const config = readConfig()
  const installation = await openInstallation(config, openLog(quiet(config.logLevel)))
  const close = releaseWhenAsked(installation.close)
  try {
    const { system, contextFor } = installation.runtime
    const ctx = command.tenant ? contextFor(await tenantOf(system, { command, ...call })) : system
    const input = { ...call.input, site: await siteOf(config, system), system }
    const isTried = command.canBeTried && input.options['dry-run'] === true
    return isTried ? await tell(ctx, command, input) : await command.run(ctx, input)
  } finally {
    await close()
  }
}

async function tell(ctx: Ctx, command: Command, input: CommandInput): Promise<CommandResult> {
  const changes = await wouldChange(ctx, (inner) => command.run(inner, input))
  const counts = changes.counts.map(({ kind, count }) => `${count} ${kind}`).join(', ')
  const lines = changes.subjects.map(({ type, name, id, becomesTrue, becomesFalse }) =>
    [
      `${type} ${name || id}`,
      ...becomesFalse.map((it) => `  - ${it}`),
      ...becomesTrue.map((it) => `  + ${it}`),
    ].join('\n'),
  )
  const rest = changes.total - changes.subjects.length
  const more = rest > 0 ? [`… and ${rest} more`] : []
  const partial = changes.isWhole ? [] : ['There are too many to try them all; these are the first.']
  const head = changes.total === 0 ? 'Nothing would change.' : `Would change: ${counts}`
  return { json: changes, text: [head, ...lines, ...more, ...partial].join('\n') }
}

/** For links: where the server is reached, or will be if it is started with the same settings. */
const siteOf = async ({ publicUrl, host, port }: Config, system: Ctx): Promise<string> =>
  publicUrl ?? (await addressInUse(system)) ?? `http://${host}:${port}`

/** A command prints its results itself; the log is for errors. */
const quiet = (level: LogLevel): LogLevel => (level === 'info' ? 'warn' : level)

async function tenantOf(system: Ctx, { command, input, tenant }: Parsed<Command>): Promise<string> {
  if (tenant !== undefined) return (await getTenantBySlug(system, tenant)).id
  const named = await command.tenantOf?.(system, input)
  if (named !== undefined) return named
  const tenants = await listTenants(system)
  const [only, ...others] = tenants.filter(({ isDemo }) => !isDemo)
  if (only && others.length === 0) return only.id
  const which = only
    ? `there are ${tenants.map((it) => it.slug).join(', ')}`
    : 'there is none yet; tenant create makes one, and so does the first start of the server'
  throw new UsageError(`--tenant is missing: ${which}`, usageOf(command))
}
