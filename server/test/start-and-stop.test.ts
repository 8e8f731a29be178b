import { chmod, readFile, readlink, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { dataFolder, rollcall, serve, until, type Server } from '#test/support/processes/rollcall-process.ts'

const WELCOME = /Sign in as +(\S+@\S+)\n +Password +(\S+)\n +Admin API key +([0-9a-f]{64})\n/
const NOBODY = { uid: 65_534, gid: 65_534 }

const keyOf = (server: Server): string => WELCOME.exec(server.out())?.[3] ?? ''

const statusWith = async (server: Server, key: string): Promise<number> =>
  (await fetch(`${server.address}/api/v1/no-such-thing`, { headers: { 'x-api-key': key } })).status

const isReady = (server: Server): Promise<boolean> =>
  fetch(`${server.address}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  )

const postmasterOf = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)

test('the first start welcomes, the next one finds everything and prints the address only', async () => {
  const DATA_DIR = await dataFolder()
  const first = await serve({ DATA_DIR })
  const key = keyOf(first)
  expect(first.out()).toMatch(WELCOME)
  expect(await statusWith(first, key)).toBe(404)
  expect(await first.signal('SIGINT')).toBe(0)
  await expect(postmasterOf(DATA_DIR)).rejects.toThrow('ENOENT')
  const second = await serve({ DATA_DIR, FLEET_PORT: '0' })
  expect(await statusWith(second, key)).toBe(404)
  const [apart, ...others] = second.out().split('\n')
  expect(apart).toMatch(/^osquery of Fleet is answered at http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  expect(others).toEqual([`Rollcall runs at ${second.address}`, ''])
})

test('the command line works beside the server, and without it', async () => {
  const DATA_DIR = await dataFolder()
  const before = await rollcall(['tenant', 'create', 'acme', '--json'], { DATA_DIR })
  expect(before).toMatchObject({ code: 0, err: '' })
  const server = await serve({ DATA_DIR })
  const made = await rollcall(
    ['key', 'create', '--tenant', 'acme', '--name', 'ci', '--scopes', 'read', '--json'],
    { DATA_DIR },
  )
  const { api_key } = JSON.parse(made.out) as { api_key: string }
  expect(await statusWith(server, api_key)).toBe(404)
  await server.signal('SIGTERM')
  const after = await rollcall(['tenant', 'list', '--json'], { DATA_DIR })
  const slugs = (JSON.parse(after.out) as { slug: string }[]).map((it) => it.slug)
  expect(slugs.toSorted()).toEqual(['acme', 'default'])
})

test('after kill -9 of the server the next start finds what was committed', async () => {
  const DATA_DIR = await dataFolder()
  const first = await serve({ DATA_DIR })
  expect(await first.signal('SIGKILL')).toBe(137)
  const second = await serve({ DATA_DIR })
  expect(await statusWith(second, keyOf(first))).toBe(404)
})

test('after kill -9 of PostgreSQL the running server recovers', async () => {
  const DATA_DIR = await dataFolder()
  const server = await serve({ DATA_DIR })
  const killed = await postmasterOf(DATA_DIR)
  process.kill(killed, 'SIGKILL')
  await until(async () => (await postmasterOf(DATA_DIR).catch(() => killed)) !== killed)
  await until(() => isReady(server))
  expect(await statusWith(server, keyOf(server))).toBe(404)
  expect(await server.signal('SIGTERM')).toBe(0)
})

test('asked to stop while PostgreSQL is being started again, it stops', async () => {
  const DATA_DIR = await dataFolder()
  const server = await serve({ DATA_DIR })
  process.kill(await postmasterOf(DATA_DIR), 'SIGKILL')
  expect(await server.signal('SIGTERM')).toBe(0)
})

test('two servers share one data directory; the last one out stops the database', async () => {
  const DATA_DIR = await dataFolder()
  const [one, two] = await Promise.all([serve({ DATA_DIR }), serve({ DATA_DIR })])
  const key = keyOf(one) || keyOf(two)
  expect([keyOf(one), keyOf(two)].filter(Boolean)).toHaveLength(1)
  await one.signal('SIGTERM')
  expect(await statusWith(two, key)).toBe(404)
  await two.signal('SIGTERM')
  await expect(postmasterOf(DATA_DIR)).rejects.toThrow('ENOENT')
})

test('a port that is taken is a clear refusal', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const PORT = String((other.address() as AddressInfo).port)
  const { code, err } = await rollcall(['serve'], { DATA_DIR: await dataFolder(), PORT })
  expect(err).toBe(`cannot listen on 127.0.0.1:${PORT} (taken); set HOST and PORT to what is free\n`)
  expect(code).toBe(1)
})

test('another SECRET_KEY than the one of the first start is refused', async () => {
  const DATA_DIR = await dataFolder()
  await (await serve({ DATA_DIR })).signal('SIGTERM')
  const { code, err } = await rollcall(['serve'], { DATA_DIR, SECRET_KEY: 'x'.repeat(32) })
  expect(err).toContain('SECRET_KEY is not the key that sealed')
  expect(code).toBe(1)
  const doctor = await rollcall(['doctor', '--json'], { DATA_DIR, SECRET_KEY: 'x'.repeat(32) })
  expect(doctor.code).toBe(1)
  expect(JSON.parse(doctor.out)).toMatchObject({
    healthy: false,
    checks: expect.arrayContaining([
      expect.objectContaining({ check: 'secret key', state: 'fail' }),
    ]) as unknown,
  })
})

test('flags of Node that the operator gave stay beside those of a server', async () => {
  const telling = `data:text/javascript,process.stderr.write('flags ' + process.execArgv.join(' ') + '\\n')`
  const bin = join(import.meta.dirname, '../bin/rollcall.mjs')
  const program = [process.execPath, '--max-old-space-size=777', '--import', telling, bin] as const
  const { err } = await rollcall(['serve'], { PORT: 'none' }, { program })
  const told = err.split('\n').filter((line) => line.startsWith('flags '))
  expect(told.at(-1)).toMatch(/--max-semi-space-size=16 .*--max-old-space-size=777/)
})

test('settings that do not fit are all listed', async () => {
  const { code, out, err } = await rollcall(['serve', '--json'], {
    PORT: 'http',
    ROLES: 'cook',
    SECRET_KEY: 'short',
  })
  expect(code).toBe(1)
  for (const name of ['PORT', 'ROLES', 'SECRET_KEY']) expect(err).toContain(`  ${name}: `)
  expect(JSON.parse(out)).toMatchObject({ error: 'invalid_settings' })
})

needs('root')('as root', () => {
  test('a data directory that PostgreSQL’s user cannot reach', async () => {
    const DATA_DIR = await dataFolder()
    await chmod(dirname(DATA_DIR), 0o700)
    const first = await serve({ DATA_DIR })
    const elsewhere = await readlink(join(DATA_DIR, 'postgres'))
    onTestFinished(() => rm(elsewhere, { recursive: true }))
    await first.signal('SIGTERM')
    const second = await serve({ DATA_DIR })
    expect(await statusWith(second, keyOf(first))).toBe(404)
    await second.signal('SIGTERM')
  })

  test('an ordinary user serves as well', async () => {
    const DATA_DIR = await dataFolder(NOBODY)
    const server = await serve({ DATA_DIR }, NOBODY)
    expect(await statusWith(server, keyOf(server))).toBe(404)
    expect(await server.signal('SIGTERM')).toBe(0)
  })
})
