import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { enrolled } from '../agents.fixture.ts'
import {
  addRelease,
  listAgents,
  listReleases,
  makeRelease,
  makeReleaseKey,
  makeRoot,
  offeredRelease,
  setRollout,
} from '../agents.ts'
import type { AgentKey } from '../signed/agent-key-store.ts'
import { releaseCommands } from './cli.ts'
import { archiveOf, newFolder, newInstalledHost, newSigner, planted } from './update.fixture.ts'
import * as store from './release-store.ts'
import type { SignedRelease } from './signed-release.ts'

const home = sharedTestApp()
const page = { limit: 50, offset: 0 }
const MINUTES_3_MS = 180_000

async function newHost(root: string) {
  const { ctx, secret } = await enrolled(home())
  const host = newInstalledHost(root)
  const run = (...words: string[]) => host.run(...words)
  const versionNow = async () => (await listAgents(ctx, page)).items[0]?.version
  return {
    ...host,
    ctx,
    run,
    versionNow,
    enrol: async () => host.run('enrol', await home().address(), secret),
  }
}

test('a signed release is taken, reports, and stays', { timeout: MINUTES_3_MS }, async () => {
  const { root, sign } = newSigner()
  const { system } = home().runtime
  const archive = archiveOf('0.2.0', root)
  const release = sign('0.2.0', archive)
  await addRelease(system, { release, archive: () => archive, roots: [root] })
  const host = await newHost(root)
  expect(await host.enrol()).not.toContain('0.2.0')
  await setRollout(system, '0.2.0', 100)
  expect(await host.run('run', '--now')).toContain('the next report comes from version 0.2.0')
  expect(await host.versionNow()).toBe('0.1.0')
  expect(await host.run('run', '--now')).toContain('Reported: ')
  expect(await host.versionNow()).toBe('0.2.0')
  expect(await host.run('status')).toContain('version 0.2.0')
  expect((await listReleases(system)).find(({ version }) => version === '0.2.0')).toMatchObject({
    offered: 1,
    takenBack: 0,
  })
  // other hosts without roots are told of nothing
  const untouched = await newHost('')
  await untouched.enrol()
  expect(await untouched.run('run', '--now')).not.toContain('0.2.0')
})

test('a release is refused by the server when it is not whole', async () => {
  const { root, sign } = newSigner()
  const { system } = home().runtime
  const archive = archiveOf('0.3.0', root)
  const adding = (release: SignedRelease, content = archive, roots = [root]) =>
    addRelease(system, { release, archive: () => content, roots })
  const release = sign('0.3.0', archive)
  await expect(adding(release, archive, [newSigner().root])).rejects.toMatchObject({
    extras: { field: 'key' },
  })
  await expect(adding({ ...release, signature: '' })).rejects.toMatchObject({
    extras: { field: 'signature' },
  })
  await expect(adding(release, Buffer.from('x'))).rejects.toMatchObject({ extras: { field: 'files.any' } })
  await expect(setRollout(system, '0.3.0', 1)).rejects.toMatchObject({ status: 404 })
})

const foreign = newSigner()
const BROKEN = 'export const send = () => Promise.reject(new Error("broken")); export const download = send\n'

test.each([
  {
    what: 'of a foreign signer',
    version: '1.0.1',
    make: (_: ReturnType<typeof newSigner>, archive: Buffer) => foreign.sign('1.0.1', archive),
    says: 'is signed by none of the roots',
  },
  {
    what: 'with an altered manifest',
    version: '1.0.2',
    make: ({ sign }: ReturnType<typeof newSigner>, archive: Buffer) => ({
      ...sign('1.0.2', archive),
      manifest: sign('1.0.3', archive).manifest,
    }),
    says: 'the signature of the update is wrong',
  },
  {
    what: 'of an older version',
    // the server is made to believe that it is newer
    version: '1.0.4',
    make: ({ sign }: ReturnType<typeof newSigner>, archive: Buffer) => sign('0.0.9', archive),
    says: 'update 0.0.9 is not newer than 0.1.0',
  },
  {
    what: 'with another archive than the signed one',
    version: '1.0.5',
    make: ({ sign }: ReturnType<typeof newSigner>, archive: Buffer) =>
      sign('1.0.5', Buffer.concat([archive.subarray(0, -1), Buffer.from([(archive.at(-1) ?? 0) ^ 1])])),
    says: 'does not have the hash of its manifest',
  },
])('an agent refuses a release $what, and goes on as it is', { timeout: MINUTES_3_MS }, async (it) => {
  const signer = newSigner()
  const archive = archiveOf(it.version, signer.root)
  const host = await newHost(signer.root)
  await host.enrol()
  await planted(home().runtime.system, it.version, it.make(signer, archive), archive)
  expect(await host.run('run', '--now')).toContain(it.says)
  expect(await host.run('run', '--now')).toContain('Reported: ')
  expect(await host.versionNow()).toBe('0.1.0')
  expect(existsSync(join(host.state, 'update.json'))).toBe(false)
  expect(
    readdirSync(join(host.state)).includes('versions') && readdirSync(join(host.state, 'versions')),
  ).toEqual(it.version === '1.0.5' ? [] : false)
})

test(
  'a version that cannot start is not begun, one that cannot report is taken back after three tries, which ends the rollout',
  {
    timeout: MINUTES_3_MS,
  },
  async () => {
    const { root, sign } = newSigner()
    const { system } = home().runtime
    const host = await newHost(root)
    await host.enrol()
    const unreadable = archiveOf('2.0.0', root, { 'src/main.mjs': 'export const main = (' })
    await planted(system, '2.0.0', sign('2.0.0', unreadable), unreadable)
    expect(await host.run('run', '--now')).toMatch(/failed|SyntaxError/)
    const mute = archiveOf('2.0.1', root, {
      'src/wire/server-connection.mjs': `${BROKEN}export const BASE_PATH = ''\n`,
    })
    await planted(system, '2.0.1', sign('2.0.1', mute), mute)
    expect(await host.run('run', '--now')).toContain('the next report comes from version 2.0.1')
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await host.run('run', '--now')).toContain('broken')
    expect(await host.run('run', '--now')).toContain('Reported: ')
    expect(await host.versionNow()).toBe('0.1.0')
    expect((await listReleases(system)).find(({ version }) => version === '2.0.1')).toMatchObject({
      rollout: 0,
      offered: 1,
      takenBack: 1,
      stoppedAt: expect.any(String),
    })
    // it is never taken again
    await setRollout(system, '2.0.1', 100)
    expect(await host.run('run', '--now')).not.toContain('2.0.1')
  },
)

test('rings: about 1, 10 and 100 of a hundred agents, each within the next', async () => {
  const { root, sign } = newSigner()
  const { system } = home().runtime
  const archive = archiveOf('3.0.0', root)
  await addRelease(system, { release: sign('3.0.0', archive), archive: () => archive, roots: [root] })
  const { ctx } = await enrolled(home())
  const keys = Array.from({ length: 2_000 }, (_, n) => createHash('sha256').update(`key ${n}`).digest())
  const told = async (rollout: number): Promise<string[]> => {
    const found: string[] = []
    for (const keyId of keys) {
      const key = {
        keyId,
        agentId: '00000000-0000-7000-8000-000000000000',
        release: { version: '3.0.0', rollout },
      }
      const asked = {
        key: key as unknown as AgentKey,
        version: '0.1.0',
        platform: 'linux-x64',
      }
      if (await offeredRelease({ system, ctx }, asked)) found.push(keyId.toString('hex'))
      if (rollout === 100) break
    }
    return found
  }
  await setRollout(system, '3.0.0', 10)
  const [one, ten] = [await told(1), await told(10)]
  expect(one.length / keys.length).toBeCloseTo(0.01, 2)
  expect(ten.length / keys.length).toBeCloseTo(0.1, 1)
  expect(one.every((it) => ten.includes(it))).toBe(true)
  expect(await told(100)).toHaveLength(1)
  await setRollout(system, '3.0.0', 0)
  expect(await told(100)).toEqual([])
})

test('a release goes on while 2 % of the agents go back from it, and ends when more do', async () => {
  const { root, sign } = newSigner()
  const { system } = home().runtime
  const archive = archiveOf('3.1.0', root)
  await addRelease(system, { release: sign('3.1.0', archive), archive: () => archive, roots: [root] })
  await setRollout(system, '3.1.0', 100)
  for (let agent = 0; agent < 100; agent += 1) await store.countOffered(system, '3.1.0')
  expect(await store.countTakenBack(system, '3.1.0', 2)).toBe(false)
  expect(await store.countTakenBack(system, '3.1.0', 2)).toBe(false)
  expect(await store.countTakenBack(system, '3.1.0', 2)).toBe(true)
  expect(await store.signedRelease(system, '3.1.0')).toBeUndefined()
  // when it is resumed, 2 % of the 97 that have it still may go back
  expect(await setRollout(system, '3.1.0', 100)).toMatchObject({ offered: 97, takenBack: 0 })
  expect(await store.countTakenBack(system, '3.1.0', 2)).toBe(false)
  expect(await store.countTakenBack(system, '3.1.0', 2)).toBe(true)
})

test('what agent release sign makes is taken where its root is known, and nowhere else', async () => {
  const folder = newFolder()
  const [rootFile, keyFile, out] = ['root', 'key', 'release'].map((it) => join(folder, it)) as [
    string,
    string,
    string,
  ]
  const root = makeRoot(rootFile)
  expect(() => makeRoot(rootFile)).toThrow('is there already')
  makeReleaseKey(keyFile, { rootFile, days: 30, now: new Date() })
  expect([rootFile, keyFile].map((it) => statSync(it).mode & 0o777)).toEqual([0o600, 0o600])
  const making = { folder: out, platforms: ['any'], notBefore: new Date() }
  await expect(makeRelease({ ...making, keyFile: rootFile })).rejects.toMatchObject({
    extras: { field: 'key' },
  })
  const { version } = await makeRelease({ ...making, keyFile })
  const { system } = home().runtime
  const command = releaseCommands.find(({ path }) => path === 'agent release add')
  const adding = command?.run(system, { args: { folder: out }, options: {} })
  await expect(adding).rejects.toMatchObject({ extras: { field: 'key' } })
  const release = JSON.parse(readFileSync(join(out, 'release.json'), 'utf8')) as SignedRelease
  const archive = (platform: string) => readFileSync(join(out, `rollcall-agent-${platform}.tar.gz`))
  expect((await addRelease(system, { release, archive, roots: [newSigner().root, root] })).version).toBe(
    version,
  )
  await expect(addRelease(system, { release, archive, roots: [root] })).rejects.toMatchObject({ status: 409 })
})
