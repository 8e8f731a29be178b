import type { Command, CommandOption } from './command.ts'

/** What help and parser need to know of a command. */
export type Usage = Omit<Command, 'run'>

const PROGRAM = 'rollcall'
const tenant = ({ tenantOf }: Usage): CommandOption => ({
  value: 'SLUG',
  help: `the tenant; need not be said when there is one alone${tenantOf ? ', or when an id is given, which has one' : ''}`,
})

const DRY_RUN: CommandOption = { flag: true, help: 'says what would change, and changes nothing' }

export const optionsOf = (command: Usage): Readonly<Record<string, CommandOption>> => ({
  ...(command.tenant ? { tenant: tenant(command) } : {}),
  ...command.options,
  ...(command.canBeTried ? { 'dry-run': DRY_RUN } : {}),
})

/** The first word of a path: what the command is about. */
export const nounOf = (command: Usage): string => command.path.split(' ')[0] ?? ''

/** One line: how to call it. */
export function usageOf(command: Usage): string {
  const args = (command.args ?? []).map((name) =>
    name.endsWith('?') ? `[${name.slice(0, -1).toUpperCase()}]` : name.toUpperCase(),
  )
  const options = Object.entries(optionsOf(command)).map(([name, option]) =>
    option.required ? spell(name, option) : `[${spell(name, option)}]${option.many ? '…' : ''}`,
  )
  return [PROGRAM, command.path, ...args, ...options, '[--json]'].join(' ')
}

export function helpFor(command: Usage): string {
  const rows = Object.entries(optionsOf(command)).map(
    ([name, option]) => [spell(name, option), option.help] as const,
  )
  return [
    `usage: ${usageOf(command)}`,
    '',
    `${command.help.charAt(0).toUpperCase()}${command.help.slice(1).replace(/\.$/, '')}.`,
    '',
    ...table([...rows, ['--json', 'answer with one JSON value']]),
  ].join('\n')
}

/** Lists the commands of a noun, or all of them. */
export function helpAmong(noun: string | undefined, commands: readonly Usage[]): string {
  const below = commands.filter((it) => nounOf(it) === noun)
  const shown = below.length > 0 ? below : commands
  return [
    `usage: ${PROGRAM} ${below.length > 0 ? noun : 'COMMAND'} … [--json]`,
    '',
    ...table(shown.map((it) => [it.path, it.help])),
    '',
    `${PROGRAM} COMMAND --help says more. Exit code: 0 done, 1 refused, 2 wrong usage.`,
  ].join('\n')
}

const spell = (name: string, option: CommandOption): string =>
  option.value ? `--${name} ${option.value}` : `--${name}`

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
