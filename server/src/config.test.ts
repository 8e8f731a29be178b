import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError, describeConfig, readConfig, settings } from './config.ts'

const KEY = 'k'.repeat(32)

function problems(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('without any variable everything has its default', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: undefined,
    roles: ['api', 'worker', 'scheduler'],
    rateLimitPerMinute: 100,
  })
})

test('an empty variable is an absent one', () => {
  expect(readConfig({ PORT: '', SECRET_KEY: '' })).toMatchObject({ port: 8080, secretKey: undefined })
})

test.each([
  ['PORT', '65536'],
  ['PORT', '80a'],
  ['ROLES', 'api,cook'],
  ['ROLES', ','],
  ['SECRET_KEY', 'short'],
  ['DATABASE_URL', 'mysql://x'],
  ['PUBLIC_URL', 'inventory.example.org'],
  ['PUBLIC_URL', 'ftp://inventory.example.org'],
  ['TRUSTED_PROXIES', '10.0.0.0/8,proxy.example.org'],
  ['TRUSTED_PROXIES', '10.0.0.0/8:80'],
  ['WEBHOOK_ALLOW_PRIVATE', '10.0.0.0/33'],
  ['RATE_LIMIT_PER_MINUTE', '0'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s is refused by name', (name, value) => {
  expect(problems({ [name]: value })).toEqual([expect.stringContaining(`${name}: `)])
})

test('every problem is listed, not only the first', () => {
  expect(problems({ PORT: 'x', LOG_LEVEL: 'loud', ROLES: 'cook' })).toHaveLength(3)
})

test('X_FILE holds the value of X; both at once are refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-config-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'key')
  await writeFile(file, `${KEY}\n`)
  expect(readConfig({ SECRET_KEY_FILE: file }).secretKey).toBe(KEY)
  expect(problems({ SECRET_KEY_FILE: file, SECRET_KEY: KEY })).toHaveLength(1)
  expect(problems({ SECRET_KEY_FILE: join(folder, 'none') })).toEqual([
    expect.stringContaining('SECRET_KEY: '),
  ])
})

test('secrets are described as set or unset', () => {
  const described = describeConfig(readConfig({ SECRET_KEY: KEY }))
  expect(described).toMatchObject({ SECRET_KEY: 'set', DATABASE_URL: 'unset', PORT: 8080 })
  expect(Object.keys(described)).toHaveLength(Object.keys(settings).length)
})

test('headers of traces are read decoded, a share from 0 to 1, and errors show no value', () => {
  const read = (environment: Record<string, string>) => readConfig(environment)
  expect(read({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x, a=b=c' }).tracesHeaders).toEqual({
    authorization: 'Bearer x',
    a: 'b=c',
  })
  expect(read({ OTEL_TRACES_SAMPLER_ARG: '0' }).tracesShare).toBe(0)
  for (const value of ['secret', 'a b=secret', 'a=%secret'])
    expect(() => read({ OTEL_EXPORTER_OTLP_HEADERS: value })).toThrow(
      /^(?!.*secret).*OTEL_EXPORTER_OTLP_HEADERS/,
    )
  for (const value of ['-0.1', '1.1', 'x', ' '])
    expect(() => read({ OTEL_TRACES_SAMPLER_ARG: value })).toThrow('OTEL_TRACES_SAMPLER_ARG')
})
