import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { assetsOf, enrolled, installedIn } from '../agents.fixture.ts'
import { servedPlatforms } from './agent-platforms.ts'

const home = sharedTestApp()
/** Packing Node takes 6 s of processor time. */
const PACKING_MS = 180_000
const PACKED_BYTES_MAX = 45 * 1_048_576

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function download(platform: string, folder: string): Promise<number> {
  const answer = await fetch(`${await home().address()}/agent/download/${platform}`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  const archive = join(folder, 'archive.tar.gz')
  writeFileSync(archive, bytes)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  rmSync(archive)
  return bytes.length
}

/** Nothing of this machine's environment: no PATH, no home. */
function run(
  program: string,
  args: readonly string[],
  env = {},
): Promise<{ code: number | null; out: string }> {
  const child = spawn(program, args, { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  const texts: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (it) => texts.push(String(it)))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out: texts.join('') })))
}

test.skipIf(!servedPlatforms().includes('linux-x64') || process.arch !== 'x64')(
  'the archive for Linux runs, enrols and reports with nothing else installed',
  { timeout: PACKING_MS },
  async () => {
    const { ctx, secret } = await enrolled(home())
    const folder = newFolder()
    expect(await download('linux-x86_64', folder)).toBeLessThan(PACKED_BYTES_MAX)
    expect(readdirSync(join(folder, 'rollcall-agent')).toSorted()).toEqual(
      ['LICENSE', 'LICENSE.node', 'lib', 'node', 'rollcall-agent'].toSorted(),
    )
    const root = join(folder, 'root')
    mkdirSync(join(root, 'var/lib/dpkg'), { recursive: true })
    writeFileSync(
      join(root, 'var/lib/dpkg/status'),
      'Package: bash\nStatus: install ok installed\nArchitecture: amd64\nVersion: 5.2.15-2+b2\n',
    )
    const words = ['--root', root, '--state', join(folder, 'state')]
    const agent = join(folder, 'rollcall-agent/rollcall-agent')
    const done = await run(agent, ['enrol', await home().address(), secret, ...words])
    expect(done).toEqual({
      code: 0,
      out: expect.stringMatching(/^Enrolled at .*\nReported: sent .*software/),
    })
    expect(await assetsOf(ctx)).toHaveLength(1)
    expect(await installedIn(ctx, 'agent')).toMatchObject([{ name: 'bash', version: '5.2.15-2+b2' }])
  },
)

test('the archive without Node takes that of the host', async () => {
  const folder = newFolder()
  expect(await download('any', folder)).toBeLessThan(200_000)
  const agent = join(folder, 'rollcall-agent/rollcall-agent')
  const path = `${join(process.execPath, '..')}:/usr/bin:/bin`
  const shown = await run(agent, ['show', '--root', newFolder()], { PATH: path })
  expect(shown.code).toBe(0)
  expect(JSON.parse(shown.out)).toMatchObject({ failed: [], sections: { software: { items: [] } } })
})

test.each([
  ['linux-mips', 'agent for this platform not found'],
  ['..%2f..', 'not found'],
  ['', 'not found'],
])('%s is no platform', async (platform, words) => {
  const answer = await fetch(`${await home().address()}/agent/download/${platform}`)
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining(words)])
})
