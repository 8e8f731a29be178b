import { expect, test } from 'vitest'
import { optionsOf, type Usage } from './help.ts'
import { liftJson, parseCommandLine, UsageError } from './command-line.ts'

const commands: readonly Usage[] = [
  { path: 'serve', help: 'runs the server' },
  { path: 'bench', args: ['name?'], help: 'measures' },
  {
    path: 'key create',
    tenant: true,
    options: {
      name: { value: 'N', required: true, help: 'a name' },
      label: { value: 'K', many: true, help: 'a label' },
      limit: { value: 'COUNT', help: 'how many' },
      quietly: { flag: true, help: 'no words' },
    },
    help: 'makes a key',
  },
  { path: 'key list', tenant: true, help: 'lists keys' },
  { path: 'asset unlink', tenant: true, args: ['id', 'observations...'], help: 'splits' },
]

const parse = (line: string) => parseCommandLine(line ? line.split(' ') : [], commands)

function refusal(line: string): { message: string; usage: string } {
  try {
    parse(line)
  } catch (error) {
    if (error instanceof UsageError) return { message: error.message, usage: error.usage }
    throw error
  }
  throw new Error(`accepted: ${line}`)
}

test('a command with options, in any place and either form', () => {
  for (const line of [
    'key create --tenant acme --name x --quietly',
    'key create --name=x --quietly --tenant=acme',
  ])
    expect(parse(line)).toMatchObject({
      command: { path: 'key create' },
      tenant: 'acme',
      input: { args: {}, options: { name: 'x', quietly: true } },
    })
})

test('arguments get their names, the last one the rest', () => {
  expect(parse('asset unlink a b c --tenant acme')).toMatchObject({
    input: { args: { id: 'a', observations: 'b c' } },
  })
  expect(parse('bench')).toMatchObject({ input: { args: {} } })
  expect(parse('bench lists')).toMatchObject({ input: { args: { name: 'lists' } } })
})

test('an option of which there may be many keeps all of them, each on a line', () => {
  expect(parse('key create --name x --label a --label=b --label a')).toMatchObject({
    input: { options: { label: 'a\nb\na' } },
    tenant: undefined,
  })
})

test('what begins with a minus and a digit is a value, another option is not', () => {
  expect(parse('key create --tenant a --name -1d')).toMatchObject({ input: { options: { name: '-1d' } } })
  expect(parse('key create --tenant a --name x --limit -5')).toMatchObject({
    input: { options: { limit: '-5' } },
  })
  expect(refusal('key create --tenant --name x').message).toBe('--tenant needs a value: SLUG')
  expect(parse('key create --tenant a --name=--x')).toMatchObject({ input: { options: { name: '--x' } } })
})

test.each([
  ['key create --tenant a', '--name is missing'],
  ['key create --tenant a --name', '--name needs a value: N'],
  ['key create --tenant a --name x --name y', '--name is given twice'],
  ['key create --tenant a --nane x', 'unknown option --nane; did you mean --name?'],
  ['key create --tenant a --name x --constructor y', 'unknown option --constructor'],
  ['key create --tenant a --name x --quietly=no', '--quietly takes no value'],
  ['key create --tenant a --name x more', 'one word too many: more'],
  ['key create -x', 'unknown option -x'],
  ['asset unlink --tenant a', 'ID is missing'],
  ['asset unlink i --tenant a', 'OBSERVATIONS is missing'],
  ['kye create', 'unknown command: kye create; did you mean key create?'],
  ['sevre', 'unknown command: sevre; did you mean serve?'],
  ['key', 'key: say what to do'],
  ['key delete', 'unknown command: key delete'],
  ['entirely different', 'unknown command: entirely different'],
])('%s: %s', (line, message) => {
  expect(refusal(line).message).toBe(message)
})

test('a refusal names the right usage', () => {
  expect(refusal('key create').usage).toBe(
    'rollcall key create [--tenant SLUG] --name N [--label K]… [--limit COUNT] [--quietly] [--json]',
  )
})

test.each(['', '--help', '-h', 'help'])('%j lists all commands', (line) => {
  const { help } = parse(line) as { help: string }
  for (const { path } of commands) expect(help).toContain(`  ${path}`)
})

test.each(['key --help', 'help key'])('%s lists the commands of the noun', (line) => {
  const { help } = parse(line) as { help: string }
  expect(help).toContain('key list')
  expect(help).not.toContain('serve')
})

test('--help wins over missing options', () => {
  expect((parse('key create --help') as { help: string }).help).toContain('Makes a key.')
})

test('--json is lifted from anywhere, but not from behind --', () => {
  expect(liftJson(['--json', 'key', 'list'])).toEqual({ words: ['key', 'list'], isJson: true })
  expect(liftJson(['key', 'list', '--json'])).toEqual({ words: ['key', 'list'], isJson: true })
  expect(liftJson(['import', '--', '--json'])).toEqual({ words: ['import', '--', '--json'], isJson: false })
})

test('help says of --tenant that an id tells it only where it does', () => {
  const help = (usage: Partial<Usage>): string | undefined =>
    optionsOf({ path: 'thing show', help: 'shows', ...usage })['tenant']?.help
  const alone = 'the tenant; need not be said when there is one alone'
  expect(help({})).toBeUndefined()
  expect(help({ tenant: true })).toBe(alone)
  expect(help({ tenant: true, tenantOf: async () => undefined })).toBe(
    `${alone}, or when an id is given, which has one`,
  )
})
