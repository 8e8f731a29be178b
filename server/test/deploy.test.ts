import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { needs } from '#test/support/needs.ts'
import { settings } from '../src/config.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'deploy')
const NAMES = new Set(Object.values(settings).map((it) => it.name))
/** Read by Node, by the image of PostgreSQL and by what makes the database. */
const OF_OTHERS = [
  'NODE_COMPILE_CACHE',
  'POSTGRES_PASSWORD',
  'ROLLCALL_PASSWORD',
  'DATABASE_PASSWORD',
  'DATABASE_ADMIN_PASSWORD',
]
const SETTING = /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|HOST|PORT|ROLES)(?==|: )/g

const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((it) => it.isFile())
  .map((it) => relative(FOLDER, join(it.parentPath, it.name)))
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')

test.each(files.filter((it) => /Containerfile|compose.yaml|env$|service$/.test(it)))(
  '%s sets what there is',
  (file) => {
    const unknown = [...textOf(file).matchAll(SETTING)]
      .map(([, name = '']) => name)
      .filter((name) => !NAMES.has(name) && !OF_OTHERS.includes(name))
    expect(unknown).toEqual([])
  },
)

test('the superuser of the composed database has a password that the server is not given', () => {
  const [server = '', database = ''] = (textOf('container/compose.yaml').split('\nservices:')[1] ?? '').split(
    /^ {2}database:$/m,
  )
  const superuser = /POSTGRES_PASSWORD: \$\{(\w+)/.exec(database)?.[1]
  const owner = /ROLLCALL_PASSWORD: \$\{(\w+)/.exec(database)?.[1]
  expect(superuser).toBeDefined()
  expect(server).not.toContain(superuser)
  expect(server).toContain(`rollcall:\${${owner}:?`)
  expect(textOf('container/make-database.sh')).toContain('password="$ROLLCALL_PASSWORD"')
})

test('the composed services have a health check, which of the server follows /readyz', async () => {
  const { services } = parse(textOf('container/compose.yaml')) as {
    services: Record<string, { healthcheck: { test: unknown[] }; sysctls?: unknown }>
  }
  expect(Object.keys(services)).toEqual(['rollcall', 'database'])
  for (const { healthcheck } of Object.values(services))
    expect(healthcheck.test).toEqual(['CMD-SHELL', expect.any(String)])
  const shell = String(services.rollcall?.healthcheck.test[1]).replace(
    '/usr/lib/rollcall/bin/node',
    'exec node',
  )
  let status = 200
  const there = await receiver(() => status)
  const askedOf = async (origin: string): Promise<unknown> => {
    const script = shell.replace('http://127.0.0.1:8080', origin)
    return (await once(spawn('sh', ['-c', script], { stdio: 'ignore' }), 'exit'))[0]
  }
  expect(await askedOf(new URL(there.url).origin)).toBe(0)
  status = 503
  expect(await askedOf(new URL(there.url).origin)).toBe(1)
  expect(there.requests.map(({ path }) => path)).toEqual(['/readyz', '/readyz'])
  expect(await askedOf('http://127.0.0.1:1')).toBe(1)
})

test('images and package have the version of the workspace', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const named = files
    .filter((it) => it.includes('container'))
    .flatMap((it) => [...textOf(it).matchAll(/\brollcall[:-](\d+\.\d+\.\d+)/g)])
    .map(([, found]) => found)
  expect(named).toHaveLength(3)
  expect(new Set(named)).toEqual(new Set([version]))
})

test('the command of the Debian package reads settings in quotes as the service does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-deb-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'rollcall.env')
  const lines = [
    '# none',
    `SECRET_KEY="a b'c"`,
    `PUBLIC_URL='https://a'`,
    'HOST=::1',
    'SMTP_URL=smtp://a?b="c"',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const script = textOf('debian/rollcall')
    .replaceAll('/etc/rollcall/rollcall.env', file)
    .replace('"$(id -u)" = 0', '1 = 0')
    .replace('/usr/lib/rollcall/bin/rollcall', 'env')
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH: process.env.PATH } })
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      `SECRET_KEY=a b'c`,
      'PUBLIC_URL=https://a',
      'HOST=::1',
      'SMTP_URL=smtp://a?b="c"',
    ]),
  )
})

const METRIC = /\b(rollcall|nodejs|process)_[a-z0-9_]+/g

test('rules and dashboard ask for metrics that the server tells', async () => {
  const { address } = await testApp()
  const told = await (await fetch(`${await address()}/metrics`)).text()
  const types = new Map(
    [...told.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]),
  )
  const isTold = (name: string): boolean =>
    types.has(name) || types.get(name.replace(/_(bucket|count|sum)$/, '')) === 'histogram'
  const asked = ['monitoring/rules.yaml', 'monitoring/grafana-dashboard.json'].flatMap((file) =>
    [...textOf(file).matchAll(METRIC)].map(([name]) => name),
  )
  expect(asked.length).toBeGreaterThan(30)
  expect(asked.filter((name) => !isTold(name))).toEqual([])
  const states = [...textOf('monitoring/rules.yaml').matchAll(/\b(rollcall_[a-z_]+)\{state="(\w+)"\}/g)]
  expect(states.length).toBeGreaterThan(3)
  for (const [, name, state] of states)
    expect(told).toMatch(new RegExp(`^${name}\\{[^}]*state="${state}"[^}]*\\} \\d`, 'm'))
})

needs('promtool')('monitoring', () => {
  test.each([
    ['check', 'rules', 'rules.yaml'],
    ['test', 'rules', 'rules-test.yaml'],
  ])('has rules that pass promtool %s %s', (...words) => {
    const done = spawnSync('promtool', words, { cwd: join(FOLDER, 'monitoring'), encoding: 'utf8' })
    expect(done).toMatchObject({ status: 0 })
  })

  test('has a dashboard of expressions that Prometheus reads', () => {
    const { panels } = JSON.parse(textOf('monitoring/grafana-dashboard.json')) as {
      panels: { targets: { expr: string }[] }[]
    }
    const expressions = panels.flatMap((it) => it.targets.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(15)
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-rules-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const rules = expressions.map((expr, at) => ({ record: `panel_${at}`, expr }))
    writeFileSync(join(folder, 'rules.json'), JSON.stringify({ groups: [{ name: 'panels', rules }] }))
    const done = spawnSync('promtool', ['check', 'rules', join(folder, 'rules.json')], { encoding: 'utf8' })
    expect(done.stdout).toContain(`${rules.length} rules found`)
    expect(done.status).toBe(0)
  })
})
