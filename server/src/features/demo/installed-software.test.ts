import { expect, test } from 'vitest'
import { seededRandom } from './seeded-random.ts'
import { generateObservations } from './estate.ts'
import { installedSoftware } from './installed-software.ts'

test.each([
  ['Debian GNU/Linux 12 (bookworm)', 'debian', 'dpkg'],
  ['Ubuntu 22.04.4 LTS', 'ubuntu', 'dpkg'],
  ['Red Hat Enterprise Linux 9.4', 'rhel', 'rpm'],
  ['SUSE Linux Enterprise Server 15 SP5', 'sles', 'rpm'],
  ['Microsoft Windows Server 2019 Standard', 'windows', 'windows'],
  ['Microsoft Windows 11 Enterprise 24H2', 'windows', 'windows'],
  ['macOS 14.6', 'macos', 'macos'],
])('%s has software of its kind', (os, id, origin) => {
  const report = installedSoftware(os, seededRandom(1, os))
  expect(report).toMatchObject({ release: { id, prettyName: os }, complete: [origin] })
  expect(new Set(report?.items.map((it) => it.origin))).toEqual(new Set([origin]))
})

test('what is not known has none', () => {
  expect(installedSoftware('VMware ESXi 8.0.2', seededRandom(1))).toBeUndefined()
})

test('every agent of the estate tells what is installed', () => {
  const agents = [
    ...generateObservations({ size: 500, seed: 1, now: new Date('2026-11-21T00:00:00Z') }),
  ].filter(({ by }) => by === 'agents')
  const telling = agents.filter(({ observation }) => (observation.software?.items.length ?? 0) > 0)
  expect(telling.length / agents.length).toBeGreaterThan(0.9)
})
