import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCredential } from '#features/credentials/credentials.ts'
import { createTarget, listScans } from '#features/scans/scans.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { needs } from '#test/support/needs.ts'
import { openSshLab, type SshLab } from '#test/support/scanned-hosts/ssh-servers.ts'
import { getRun, listHosts, startDiscovery, createDiscovery } from './discoveries.ts'
import { runDiscovery } from './running/run-discovery.ts'

const ALL = { limit: 100, offset: 0 }

needs('root', 'sshd')('a discovery of loopback addresses with a real sshd', () => {
  let lab: SshLab
  beforeAll(async () => {
    lab = await openSshLab()
  }, 60_000)
  afterAll(() => lab?.close())

  async function scene() {
    const { newTenant } = await testApp()
    const ctx = await newTenant()
    const { port } = await lab.sshd()
    const target = await createTarget(ctx, {
      name: 'lab',
      entries: ['127.0.0.1-127.0.0.3'],
      exclusions: ['127.0.0.2'],
    })
    const privateKey = await readFile(lab.keys.ed25519, 'utf8')
    const credential = {
      name: 'Linux',
      kind: 'ssh_key',
      cidrs: ['127.0.0.0/8'],
      targetIds: [],
      port,
      values: { username: lab.username, privateKey },
    }
    const discovery = await createDiscovery(ctx, {
      name: 'nightly',
      targetId: target.id,
      types: ['ssh', 'wmi'],
    })
    return { ctx, discovery, credential }
  }

  async function run(ctx: Ctx, discoveryId: string) {
    const { id } = await startDiscovery(ctx, discoveryId)
    await runDiscovery(ctx, { runId: id }, new AbortController().signal)
    return { ...(await getRun(ctx, id)), hosts: (await listHosts(ctx, id, {}, ALL)).items }
  }

  test('sweeps, logs in where it may, says why not elsewhere, and each login is a scan of its own', async () => {
    const { ctx, discovery, credential } = await scene()
    await createCredential(ctx, credential)
    const ended = await run(ctx, discovery.id)
    expect(ended).toMatchObject({
      status: 'completed',
      addressesTotal: 2,
      addressesDone: 2,
      hostsFound: 2,
      hostsDone: 2,
      loggedIn: 1,
      unanswered: 1,
      newHosts: null,
    })
    const [one, three] = ended.hosts
    expect(one).toMatchObject({
      address: '127.0.0.1',
      outcome: 'logged_in',
      assetId: expect.any(String),
      logins: [
        { type: 'ssh', outcome: 'logged_in', scanId: expect.any(String) },
        { type: 'wmi', outcome: 'not_asked', message: expect.stringContaining('Windows') },
      ],
    })
    expect(three).toMatchObject({
      address: '127.0.0.3',
      outcome: 'unanswered',
      why: expect.stringContaining('ssh'),
    })
    const scans = (await listScans(ctx, ALL)).items
    expect(new Set(scans.map((it) => `${it.type} ${it.targetAddress} ${it.status}`))).toEqual(
      new Set(['ssh 127.0.0.1 completed', 'ssh 127.0.0.3 failed', 'sweep 127.0.0.1-127.0.0.3 completed']),
    )
    const again = await run(ctx, discovery.id)
    expect(again).toMatchObject({ comparedRunId: ended.id, newHosts: 0, changedHosts: 0, goneHosts: 0 })
  }, 120_000)

  test('without a credential nobody is asked, and the reason says so', async () => {
    const { ctx, discovery } = await scene()
    const { hosts, ...ended } = await run(ctx, discovery.id)
    expect(ended).toMatchObject({ status: 'completed', notAsked: 2, loggedIn: 0 })
    expect(hosts[0]?.why).toMatch(/ssh: .*; wmi: none of the ports of Windows is open/)
    expect((await listScans(ctx, ALL)).items.map(({ type }) => type)).toEqual(['sweep'])
  }, 120_000)
})
