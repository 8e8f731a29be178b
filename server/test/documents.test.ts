import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { liftJson, parseCommandLine } from '#platform/cli/command-line.ts'
import { features } from '../src/app.ts'
import { maintenanceCommands } from '../src/commands/commands.ts'

// What the documents name is there: commands are read by the command line itself, endpoints, settings and events looked up.

const ROOT = join(import.meta.dirname, '../..')
const commands = [...maintenanceCommands, ...features.flatMap((it) => it.commands ?? [])]
/** Made from the commands. */
const GENERATED = 'docs/commands.md'
const DECISIONS = 'docs/decisions'
const documents = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md') && path !== GENERATED)

interface Named {
  readonly path: string
  readonly text: string
}
const named = (pattern: RegExp): Named[] =>
  documents.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(pattern)].map(([whole, text = whole]) => ({
      path,
      text,
    })),
  )

/** Whole lines of examples; a backslash goes on in the next one. */
const exampleLines = (): Named[] =>
  named(/^```(?:sh)?\n([\s\S]*?)^```/gm).flatMap(({ path, text }) =>
    text
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .flatMap((line) => line.match(/(?:^|^\$ |\bnpx |\$\()rollcall (?!-).*/g) ?? [])
      .map((line) => ({ path, text: line.replace(/^.*?rollcall /, '') })),
  )

describe('commands', () => {
  const examples = exampleLines()
  const inText = named(/`(?:npx )?rollcall ([a-z][^`…]*)`/g)

  test('there are many', () => {
    expect([examples.length > 80, inText.length > 60]).toEqual([true, true])
  })

  test.each(examples)('$path: rollcall $text', ({ text }) => {
    expect(parseCommandLine(wordsOf(text), commands)).toBeTruthy()
  })

  test.each(inText)('$path names rollcall $text', ({ text }) => {
    const words = wordsOf(text)
    const paths = commands.map(({ path }) => path.split(' '))
    const command = commands
      .filter(({ path }) => path.split(' ').every((part, at) => words[at] === part))
      .toSorted((a, b) => b.path.length - a.path.length)[0]
    const isNoun = paths.some(
      (path) => words.length < path.length && words.every((word, at) => path[at] === word),
    )
    expect(command !== undefined || isNoun, 'is a command, or the noun of several').toBe(true)
    const options = words.filter((word) => /^--[a-z]/.test(word)).map((it) => it.slice(2).split('=')[0] ?? '')
    const known = [...Object.keys(command?.options ?? {}), 'tenant', 'json', 'help', 'dry-run']
    expect(options.filter((option) => !known.includes(option))).toEqual([])
  })
})

test('endpoints of the REST API', () => {
  const routes = features
    .flatMap(({ rest }) => rest ?? [])
    .map(({ method, path }) => `${method} ${shape(path)}`)
  const endpoints = named(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`\s]*)`/g).filter(
    ({ text }) => !isElsewhere(text),
  )
  expect(endpoints.length).toBeGreaterThan(10)
  const unknown = endpoints.filter(({ text }) => {
    const [method = '', path = ''] = text.replace('/api/v1', '').split('?')[0]!.split(' ')
    return !routes.includes(`${method} ${shape(path)}`)
  })
  expect(unknown).toEqual([])
})

/** Placeholders are written `:id`, `{id}` or `ID`. */
const shape = (path: string): string => path.replaceAll(/\/(:\w+|\{\w+\}|[A-Z][A-Z_-]*|…)(?=\/|$)/g, '/*')

/** Beside the REST API: the app's own, and those of agents, collectors and hooks. */
const isElsewhere = (endpoint: string): boolean =>
  /^[A-Z]+ \/(healthz|readyz|metrics|docs|session|t|live|files|hooks|collector)(\/|\?|$)/.test(endpoint)

test('settings', () => {
  const settings = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
  const given = named(/^(?:export )?([A-Z][A-Z0-9_]{3,})=\S*(?= .*(?:npm start|rollcall serve))/gm)
  expect(given.length).toBeGreaterThan(1)
  expect(given.filter(({ text }) => !settings.includes(`\`${text}\``))).toEqual([])
})

test('types of events', () => {
  const types = new Set(features.flatMap((it) => it.emits ?? []))
  const subscribed = named(/--events ([A-Z_,]+)/g).flatMap(({ path, text }) =>
    text.split(',').map((type) => ({ path, type })),
  )
  expect(subscribed.length).toBeGreaterThan(1)
  expect(subscribed.filter(({ type }) => !types.has(type))).toEqual([])
})

test('every decision is in their index, once', () => {
  const names = readdirSync(join(ROOT, DECISIONS)).filter((name) => /^\d/.test(name))
  const index = readFileSync(join(ROOT, DECISIONS, 'README.md'), 'utf8')
  expect([...index.matchAll(/\]\(([^)]*)\)/g)].map(([, name = '']) => name).toSorted()).toEqual(
    names.toSorted(),
  )
})

test('files that the glossary names', () => {
  const files = filesNamedIn('GLOSSARY.md')
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((file) => !existsSync(join(ROOT, 'server/src', file)))).toEqual([])
})

test('files that the architecture names', () => {
  const all = globSync('server/{src,bin,test}/**/*.{ts,mjs}', { cwd: ROOT }).map((path) => `/${path}`)
  const files = filesNamedIn('ARCHITECTURE.md')
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => !all.some((path) => path.endsWith(`/${file}`)))).toEqual([])
})

const filesNamedIn = (document: string): string[] =>
  [...readFileSync(join(ROOT, document), 'utf8').matchAll(/`((?:[\w-]+\/)*[\w-]+\.(?:ts|mjs))`/g)].map(
    ([, file = '']) => file,
  )

const WORD = /'([^']*)'|"((?:[^"\\]|\\.)*)"|((?:[^\s'"]|(?<=\S)"[^"]*"|(?<=\S)'[^']*')+)/g

/** As a shell would: quotes hold together, comments, pipes, further commands and what a substitution closes are left out. */
function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [, single, double, plain] of line.matchAll(WORD)) {
    if (plain !== undefined && /^(#|\||>|<|&&|;|\d?>)/.test(plain)) break
    const isEnd = plain !== undefined && /[;)]$/.test(plain)
    const word = single ?? double ?? plain ?? ''
    words.push(isEnd ? word.slice(0, -1) : word)
    if (isEnd) break
  }
  return liftJson(words).words
}
