import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTarget, Governor, listScans } from '#features/scans/scans.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createDiscovery, getRun, listHosts, startDiscovery } from '../discoveries.ts'
import { addHosts, hostsToAsk } from '../host-store.ts'
import * as store from '../run-store.ts'
import { judgeBearing } from './bearing.ts'
import { endRun } from './end-run.ts'
import { logInToHost } from './log-in-to-host.ts'
import { LoginPace } from './login-pace.ts'

const home = sharedTestApp()
const ALL = { limit: 100, offset: 0 }
const SWEPT = { sweepScanId: null, isSwept: true, sweepSlowed: '', targetIdOf: () => null }
const PROGRESS = {
  addressesTotal: 1,
  addressesDone: 1,
  addressesSettled: 1,
  unreachable: [],
  stops: [],
  slowed: '',
}
const HOST = {
  address: '127.0.0.1',
  name: '127.0.0.1',
  hints: { ports: [22], hasSnmp: false, isVmware: false, isHypervisor: false },
  seen: {},
  sourceKey: '127.0.0.1|',
}

async function scene() {
  const ctx = await home().newTenant()
  const target = await createTarget(ctx, { name: 'site', entries: ['127.0.0.80-127.0.0.90'] })
  return { ctx, discovery: await createDiscovery(ctx, { name: 'nightly', targetId: target.id }) }
}

test('a host whose ports take no connection after it answered is asked no more, and the third stops its network', async () => {
  const { ctx, discovery } = await scene()
  // answers one conversation with nonsense, and is gone
  async function fragile(address: string): Promise<number> {
    const server = createServer((socket) => {
      server.close()
      socket.on('error', () => undefined).end('SSH-2.0-Broken\r\n')
    })
    onTestFinished(() => void server.close())
    await once(server.listen(0, address), 'listening')
    return (server.address() as AddressInfo).port
  }
  const { id } = await startDiscovery(ctx, discovery.id)
  const started = await store.start(ctx, id)
  if (!started) throw new Error('the run is there')
  const governor = new Governor()
  const pace = new LoginPace(16)
  const { signal } = new AbortController()
  const attempt = { run: started, signal, governor, pace, ...SWEPT }
  for (const address of ['127.0.0.81', '127.0.0.82', '127.0.0.83']) {
    const port = await fragile(address)
    const socket = connect(port, address)
    await once(socket.resume(), 'close')
    const host = { address, ports: [port], hasAnswered: true, againMs: 1 }
    await judgeBearing(ctx, { ...attempt, pause: signal, progress: PROGRESS, sweepSlowed: '' }, host, {
      type: 'ssh',
      outcome: 'unanswered',
      message: '',
    })
  }
  expect(governor.stops.map(({ at }) => at)).toEqual([
    '127.0.0.81',
    '127.0.0.82',
    '127.0.0.83',
    '127.0.0.0/24',
  ])
  expect(pace.slowed).toContain('slowed to 2 of 16 hosts')
  await addHosts(ctx, id, [HOST])
  const [host] = await hostsToAsk(ctx, id, [], 1)
  if (!host) throw new Error('the host is to be asked')
  const progress = { ...PROGRESS }
  const begun = { ...attempt, pause: signal, progress, sweepSlowed: '' }
  await logInToHost(ctx, begun, host)
  expect((await listHosts(ctx, id, {}, ALL)).items).toMatchObject([
    { outcome: 'not_asked', why: expect.stringContaining('ssh: stopped: 127.0.0.0/24: 3 devices stopped') },
  ])
  expect((await listScans(ctx, ALL)).total).toBe(0)
  await endRun(ctx, begun)
  const ended = await getRun(ctx, id)
  expect(ended).toMatchObject({
    status: 'completed',
    message: expect.stringContaining('stopped at 127.0.0.0/24, 127.0.0.81, 127.0.0.82, 1 more'),
  })
  expect(new Governor(ended.stops).stopFor('127.0.0.99')).toContain('3 devices')
})
