import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import type { Observation } from '#features/assets/observation.ts'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { needs } from '#test/support/needs.ts'
import { networkLab, type NetworkLab } from '#test/support/network/network-lab.ts'
import { openSshLab, type SshLab } from '#test/support/scanned-hosts/ssh-servers.ts'
import { keyOf } from './ssh/access.fixture.ts'

const HOST = '10.79.0.10'
const PAGE = { limit: 10, offset: 0 }

needs(
  'root',
  'ip',
  'sshd',
)('one machine, swept and logged in to', () => {
  let lab: NetworkLab
  let place: SshLab
  let swept: readonly Observation[]
  let loggedIn: readonly Observation[]

  beforeAll(async () => {
    place = await openSshLab()
    lab = await networkLab({ scanner: '10.79.0.1/24', machines: { host: [HOST] } })
    await startSshd()
    swept = dated((await lab.sweep(`${HOST}/32`)).seen)
    const credential = join(lab.folder, 'credential')
    await writeFile(credential, JSON.stringify(keyOf(place, 22)), { mode: 0o600 })
    const script = join(import.meta.dirname, '../../../../test/support/network/ssh-in-namespace.ts')
    const command = `exec "$0" "${script}" ${HOST} <"${credential}"`
    loggedIn = dated(
      JSON.parse(await lab.run('scanner', '/bin/sh', '-c', command, process.execPath)) as Observation[],
    )
  }, 120_000)
  afterAll(async () => {
    await lab?.close()
    await place?.close()
  })

  async function startSshd(): Promise<void> {
    const config = join(lab.folder, 'sshd')
    const lines = [
      'Port 22',
      `ListenAddress ${HOST}`,
      `HostKey ${await place.hostKey('ed25519')}`,
      `AuthorizedKeysFile ${join(place.folder, 'authorized')}`,
      'StrictModes no',
      'PidFile none',
    ]
    await writeFile(config, `${lines.join('\n')}\n`)
    await chmod(lab.folder, 0o755)
    await lab.serve('host', ['tcp 22'], ['/usr/sbin/sshd', '-D', '-e', '-f', config])
  }

  test('shows the same hardware address to both', () => {
    const macs = (seen: readonly Observation[]) =>
      seen.flatMap(({ identifiers }) =>
        identifiers.filter(({ type }) => type === 'mac').map(({ value }) => value),
      )
    expect(macs(swept)).toHaveLength(1)
    expect(macs(loggedIn)).toEqual(macs(swept))
  })

  test.each([
    ['sweep first', () => ['sweep', 'ssh'] as const],
    ['ssh first', () => ['ssh', 'sweep'] as const],
  ])('is one asset: %s', async (_, order) => {
    const ctx = await (await testApp()).newTenant()
    for (const kind of order()) await submit(ctx, { kind, name: kind }, kind === 'ssh' ? loggedIn : swept)
    const { total, items } = await listAssets(ctx, PAGE)
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({ os: loggedIn[0]?.os })
  })
})

/** Dates come as texts out of the namespace. */
const dated = (seen: readonly Observation[]): Observation[] =>
  seen.map((one) => ({ ...one, software: { complete: [], items: [] }, seenAt: new Date(one.seenAt) }))
