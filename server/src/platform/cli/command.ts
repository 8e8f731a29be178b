import type { Ctx } from '../context.ts'

/** One option of a command: `--name VALUE`, or a flag when `flag` is set. With `many` it may be repeated. */
export interface CommandOption {
  readonly value?: string
  readonly flag?: true
  readonly required?: true
  readonly many?: true
  readonly help: string
}

/** What a command answers: `json` for --json, `text` for people. */
export interface CommandResult {
  readonly json: unknown
  readonly text: string
  /** The command ran, and what it found is bad news: exit code 1. */
  readonly isBad?: true
}

export interface CommandInput {
  /** Positional arguments by name. A name declared with `?` may be absent; one with `...` holds the rest, joined by a space. */
  readonly args: Readonly<Record<string, string>>
  /** Options by name; flags are `true`, those of which there may be many are joined by line feeds. */
  readonly options: Readonly<Record<string, string | true | undefined>>
  /** Where people reach the server, without a slash at its end: for links. */
  readonly site?: string
  /** Of the whole installation, for a command that is of a tenant and touches what all have in common. */
  readonly system?: Ctx
}

/**
 * A command of the command line as data, like a route. With `tenant`, `ctx` is bound to the tenant of `--tenant SLUG`;
 * without that option, to the tenant of the record that the arguments name, or to the only tenant.
 */
export interface Command {
  /** For example `key create`. */
  readonly path: string
  /** Names of positional arguments in order, for example `['id', 'observations...']` or `['name?']`. */
  readonly args?: readonly string[]
  readonly options?: Readonly<Record<string, CommandOption>>
  readonly tenant?: true
  /** The tenant of the record whose id is an argument; undefined without an id. Throws when there is no such record. */
  readonly tenantOf?: (system: Ctx, input: CommandInput) => Promise<string | undefined>
  /** It uses nothing but the database: `--dry-run` carries it out and undoes it, and says what would change. */
  readonly canBeTried?: true
  readonly help: string
  readonly run: (ctx: Ctx, input: CommandInput) => Promise<CommandResult>
}
