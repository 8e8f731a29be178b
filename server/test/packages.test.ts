import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { dataFolder, rollcall, serve, until } from '#test/support/processes/rollcall-process.ts'

const ROOT = join(import.meta.dirname, '../..')
const VERSION = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version
const NAME = `rollcall-${VERSION}-${process.platform}-${process.arch}`
const DEB = `rollcall_${VERSION}_${process.arch === 'x64' ? 'amd64' : process.arch}.deb`
const BUILD_MS = 240_000
const HOSTS = 'name,ipAddress\nmail-7,10.7.7.7\n'
/** Neither Node nor npm is found there. */
const EMPTY_PATH = '/nonexistent'

const build = (script: string, ...args: string[]): string =>
  execFileSync(process.execPath, [join(ROOT, script), ...args], { encoding: 'utf8' })

let folder: string
/** The archive, unpacked away from where it was made. */
let unpacked: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-package-'))
  build('scripts/package.mjs', '--into', join(folder, 'built'), '--debian')
  execFileSync('tar', ['-xzf', join(folder, 'built', `${NAME}.tar.gz`), '-C', folder])
  unpacked = join(folder, NAME)
}, BUILD_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const packaged = (): { program: [string] } => ({ program: [join(unpacked, 'bin/rollcall')] })
/** `dirname` and `readlink` are the launcher's. */
const environment = async (): Promise<Record<string, string>> => ({
  DATA_DIR: await dataFolder(),
  PATH: process.env.PATH?.includes('/usr/bin') ? '/usr/bin:/bin' : EMPTY_PATH,
})

describe('the package', () => {
  test('is the same bytes again, also of a bundle that is made anew', { timeout: BUILD_MS }, () => {
    const sums = readFileSync(join(folder, 'built/SHA256SUMS'), 'utf8')
    build('server/bundle.mjs')
    expect(build('scripts/package.mjs', '--into', join(folder, 'again'), '--debian')).toBe(sums)
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(folder, 'again') })
  })

  test('has neither sources of the server, nor tests, nor packages for development', () => {
    const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' })
    const sources = files.filter((it) => it.startsWith('server/src/') && it.endsWith('.ts'))
    expect(sources).toEqual(['server/src/features/audit/proof/verify-proof.ts'])
    expect(files.filter((it) => it.endsWith('.test.ts') && !it.includes('node_modules'))).toEqual([])
    for (const name of ['typescript', 'vitest', 'vite', 'rolldown', 'lucide-react', 'kysely'])
      expect(files).not.toContain(`node_modules/${name}`)
  })

  test('says what it was made of', () => {
    const text = readFileSync(join(folder, 'built', `${NAME}.provenance.json`), 'utf8')
    const sums = readFileSync(join(folder, 'built/SHA256SUMS'), 'utf8')
    const { subject, predicate } = JSON.parse(text) as {
      subject: { name: string; digest: { sha256: string } }[]
      predicate: { buildDefinition: { resolvedDependencies: { name?: string }[] } }
    }
    expect(subject.map((it) => it.name)).toEqual([`${NAME}.cdx.json`, `${NAME}.tar.gz`, DEB])
    for (const { name, digest } of subject) expect(sums).toContain(`${digest.sha256}  ${name}\n`)
    expect(predicate.buildDefinition.resolvedDependencies.map((it) => it.name)).toContain('package-lock.json')
  })

  test('starts, is ready and passes the doctor', { timeout: BUILD_MS }, async () => {
    const settings = await environment()
    const server = await serve(settings, packaged())
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
    const page = await fetch(`${server.address}/`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<script')
    const doctor = await rollcall(['doctor', '--json'], settings, packaged())
    expect(JSON.parse(doctor.out)).toMatchObject({ healthy: true })
    expect(doctor.code).toBe(0)
  })

  test('reads files and makes reports in processes of its own', { timeout: BUILD_MS }, async () => {
    const settings = await environment()
    await serve(settings, packaged())
    const file = join(folder, 'hosts.csv')
    writeFileSync(file, HOSTS)
    const imported = await rollcall(['import', file, '--json'], settings, packaged())
    expect(imported).toMatchObject({ code: 0, err: '' })
    const create = ['report', 'create', '--name', 'all', '--type', 'inventory_summary', '--format', 'pdf']
    const made = await rollcall([...create, '--wait', '--json'], settings, packaged())
    expect(made).toMatchObject({ code: 0, err: '' })
  })
})

describe('the bill of materials', () => {
  interface Bill {
    readonly components: readonly { readonly name: string; readonly version: string }[]
  }
  const bill = (): Bill => JSON.parse(readFileSync(join(unpacked, 'sbom.cdx.json'), 'utf8')) as Bill

  test('names what is installed, what was bundled, and the programs inside of packages', () => {
    const names = bill().components.map((it) => it.name)
    expect(names).toEqual(expect.arrayContaining(['fastify', 'kysely', 'react', 'node', 'postgresql']))
    expect(names).not.toContain('vitest')
    const installed = readdirSync(join(unpacked, 'node_modules')).filter((it) => !/^[@.]/.test(it))
    expect(names).toEqual(expect.arrayContaining(installed))
  })

  test(
    'is an asset with all its software, in which an advisory is a finding',
    { timeout: BUILD_MS },
    async () => {
      const settings = await environment()
      await serve(settings, packaged())
      const fastify = bill().components.find((it) => it.name === 'fastify')!
      const file = join(folder, 'advisory.json')
      writeFileSync(file, JSON.stringify(advisoryOn('fastify', fastify.version)))
      const loaded = await rollcall(['feeds', 'load', 'osv', file], settings, packaged())
      expect(loaded).toMatchObject({ code: 0, err: '' })
      const taken = await rollcall(['import', join(unpacked, 'sbom.cdx.json')], settings, packaged())
      expect(taken.out).toContain('1 taken (1 new, 0 changed, 0 as before), 0 rejected')
      const findings = await until(async () => {
        const { out } = await rollcall(
          ['findings', 'list', '--search', 'rollcall', '--json'],
          settings,
          packaged(),
        )
        return (JSON.parse(out) as { findings: unknown[] }).findings[0]
      })
      expect(findings).toMatchObject({ assetName: 'rollcall', software: `fastify ${fastify.version}` })
      const software = await rollcall(['software', 'list', '--limit', '500', '--json'], settings, packaged())
      expect(JSON.parse(software.out)).toMatchObject({ total: bill().components.length })
    },
  )
})

needs(
  'root',
  'dpkg',
  'unshare',
  'systemd-analyze',
)('the Debian package', () => {
  const SCRIPT = join(import.meta.dirname, 'support/packages/install-and-start.sh')

  test('has units that systemd takes and calls well confined', () => {
    const root = join(folder, 'extracted')
    execFileSync('dpkg-deb', ['--extract', join(folder, 'built', DEB), root])
    for (const unit of ['rollcall.service', 'rollcall-collector.service']) {
      const path = join(root, 'lib/systemd/system', unit)
      const analyze = (...words: string[]) => spawnSync('systemd-analyze', [...words, `--root=${root}`])
      expect(analyze('verify', '--man=no', '--recursive-errors=no', path)).toMatchObject({ status: 0 })
      expect(analyze('security', '--offline=yes', '--threshold=30', unit)).toMatchObject({ status: 0 })
    }
  })

  test(
    'installs on a host, starts as its unit says with a root that it cannot write, and passes the doctor',
    { timeout: BUILD_MS },
    async () => {
      const scratch = join(folder, `host-${crypto.randomUUID()}`)
      const program = ['unshare', '--mount', 'sh', SCRIPT, scratch, join(folder, 'built', DEB)] as const
      const server = await serve({ PATH: `${process.env.PATH}:/usr/sbin:/sbin` }, { program: [...program] })
      expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
      const inside = ['--target', `${server.pid}`, '--mount', '--root', 'sh', '-euc']
      const nsenter = (command: string): string =>
        execFileSync('nsenter', [...inside, `cd /; ${command}`], { encoding: 'utf8' })
      expect(JSON.parse(nsenter('/usr/bin/rollcall doctor --json'))).toMatchObject({ healthy: true })
      expect(() => nsenter('touch /usr/lib/rollcall/changed')).toThrow('Read-only file system')
      expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/NoNewPrivs:\s+1\n/)
    },
  )
})

function advisoryOn(name: string, version: string): unknown {
  return {
    schema_version: '1.6.0',
    id: 'GHSA-xxxx-test-0001',
    modified: '2026-01-02T00:00:00Z',
    published: '2026-01-01T00:00:00Z',
    aliases: ['CVE-2026-0001'],
    summary: 'for a test',
    affected: [{ package: { ecosystem: 'npm', name }, versions: [version] }],
  }
}
