import { parseArgs } from 'node:util'
import type { CommandInput, CommandOption } from './command.ts'
import { helpAmong, helpFor, nounOf, optionsOf, usageOf, type Usage } from './help.ts'
import { nearest } from './suggestions.ts'

export interface Parsed<C extends Usage> {
  readonly command: C
  readonly input: CommandInput
  readonly tenant: string | undefined
}

/** Asked how to do something instead of doing it. */
export interface HelpWanted {
  readonly help: string
}

/** The words do not fit: what is wrong, and the right usage. */
export class UsageError extends Error {
  readonly usage: string
  constructor(message: string, usage: string) {
    super(message)
    this.usage = usage
  }
}

type Options = Readonly<Record<string, CommandOption>>
type Wrong = (message: string) => UsageError

/** Reads `words`, what stands after the program's name, as a call of one of `commands`. Throws UsageError. */
export function parseCommandLine<C extends Usage>(
  words: readonly string[],
  commands: readonly C[],
): Parsed<C> | HelpWanted {
  const { isHelp, called } = liftHelp(words)
  const command = findCommand(called, commands)
  if (isHelp) return { help: command ? helpFor(command) : helpAmong(called[0], commands) }
  if (!command) throw unknownCommand(called, commands)
  const wrong: Wrong = (message) => new UsageError(message, usageOf(command))
  const { given, positionals } = readWords(called, optionsOf(command), wrong)
  const { tenant, ...rest } = given
  const args = nameArguments(positionals.slice(command.path.split(' ').length), command, wrong)
  return command.tenant
    ? { command, input: { args, options: rest }, tenant: tenant as string | undefined }
    : { command, input: { args, options: given }, tenant: undefined }
}

/** `--json` may stand anywhere before `--`; every command knows it. */
export function liftJson(words: readonly string[]): { words: string[]; isJson: boolean } {
  const end = words.indexOf('--') < 0 ? words.length : words.indexOf('--')
  const left = words.filter((word, at) => word !== '--json' || at > end)
  return { words: left, isJson: left.length < words.length }
}

function liftHelp(words: readonly string[]): { called: readonly string[]; isHelp: boolean } {
  if (words[0] === 'help') return { called: words.slice(1), isHelp: true }
  const called = words.filter((word) => word !== '--help' && word !== '-h')
  return { called, isHelp: called.length < words.length || words.length === 0 }
}

function findCommand<C extends Usage>(words: readonly string[], commands: readonly C[]): C | undefined {
  const isCalled = (command: C) => command.path.split(' ').every((part, at) => words[at] === part)
  return commands.filter(isCalled).toSorted((a, b) => b.path.length - a.path.length)[0]
}

function readWords(
  words: readonly string[],
  options: Options,
  wrong: Wrong,
): { given: Record<string, string | true>; positionals: string[] } {
  const types = Object.entries(options).map(
    ([name, it]) => [name, { type: it.value ? ('string' as const) : ('boolean' as const) }] as const,
  )
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const given: Record<string, string | true> = {}
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const value = readOption(token, options, wrong)
    const before = Object.hasOwn(given, token.name) ? given[token.name] : undefined
    if (before !== undefined && !options[token.name]?.many) throw wrong(`${token.rawName} is given twice`)
    given[token.name] = before === undefined ? value : `${before}\n${value}`
  }
  const missing = Object.entries(options).find(([name, it]) => it.required && given[name] === undefined)
  if (missing) throw wrong(`--${missing[0]} is missing`)
  return { given, positionals }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function readOption(token: OptionToken, options: Options, wrong: Wrong): string | true {
  const { name, rawName, value } = token
  const known = Object.hasOwn(options, name) ? options[name] : undefined
  if (!known) throw wrong(`unknown option ${rawName}${perhaps(name, Object.keys(options), '--')}`)
  if (!known.value) {
    if (value !== undefined) throw wrong(`${rawName} takes no value`)
    return true
  }
  const isNextOption = value !== undefined && /^-(?!\d)/.test(value) && !token.inlineValue
  if (value === undefined || isNextOption) throw wrong(`${rawName} needs a value: ${known.value}`)
  return value
}

function nameArguments(
  values: readonly string[],
  command: Usage,
  wrong: Wrong,
): Readonly<Record<string, string>> {
  const names = command.args ?? []
  const surplus = values[names.length]
  if (surplus !== undefined && !names.at(-1)?.endsWith('...')) throw wrong(`one word too many: ${surplus}`)
  return Object.fromEntries(
    names.flatMap((declared, at) => {
      const name = declared.replace(/(\.\.\.|\?)$/, '')
      const value = declared.endsWith('...') ? values.slice(at).join(' ') : values[at]
      if (value) return [[name, value]]
      if (declared.endsWith('?')) return []
      throw wrong(`${name.toUpperCase()} is missing`)
    }),
  )
}

function unknownCommand(words: readonly string[], commands: readonly Usage[]): UsageError {
  const [noun = '', verb] = words
  const siblings = commands.filter((it) => nounOf(it) === noun)
  const called = verb === undefined || verb.startsWith('-') ? noun : `${noun} ${verb}`
  if (siblings.length > 0)
    return new UsageError(
      called === noun ? `${noun}: say what to do` : `unknown command: ${called}`,
      helpAmong(noun, commands),
    )
  const paths = commands.map((it) => it.path)
  const hint = perhaps(called, paths, '') || perhaps(noun, [...new Set(commands.map(nounOf))], '')
  return new UsageError(`unknown command: ${called}${hint}`, 'rollcall --help lists all commands')
}

function perhaps(typed: string, known: readonly string[], prefix: string): string {
  const meant = nearest(typed, known)
  return meant ? `; did you mean ${prefix}${meant}?` : ''
}
