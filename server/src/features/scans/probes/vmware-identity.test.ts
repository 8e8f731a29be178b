import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { listAssets } from '#features/assets/assets.ts'
import { submit } from '#features/sources/sources.ts'
import { inMemoryAccess } from '#test/support/app/in-memory-credentials.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { needs } from '#test/support/needs.ts'
import { vcsim, VCSIM_NEEDS, type Vcsim } from '#test/support/scanned-hosts/vcsim.ts'
import { vmware } from './vmware.ts'

const home = sharedTestApp()

needs(...VCSIM_NEEDS)('a virtual machine that its vCenter, a login and a sweep saw', () => {
  let there: Vcsim
  let machine: Observation
  beforeAll(async () => {
    there = await vcsim('-machines', '1')
    const account = { username: 'scan@vsphere.local', password: 'secret' }
    const access = inMemoryAccess({ kind: 'vsphere', id: '1', name: 'reader', port: there.port, ...account })
    const options = { signal: new AbortController().signal, now: () => new Date(), access }
    for await (const seen of vmware.run({ kind: 'host', host: '127.0.0.1' }, options))
      if (seen.assetType === 'virtual_machine') machine = seen
  }, 300_000)
  afterAll(() => there?.close())

  const valueOf = (type: string): string => machine.identifiers.find((it) => it.type === type)?.value ?? ''

  /** As dmidecode in the guest prints it: some firmware tells the first three fields the other way round. */
  const swapped = (uuid: string): string =>
    uuid.replace(/^(..)(..)(..)(..)-(..)(..)-(..)(..)-/, '$4$3$2$1-$6$5-$8$7-')

  const seenBy = (): Readonly<Record<string, Observation>> => ({
    vmware: machine,
    ssh: {
      sourceKey: 'the guest itself',
      seenAt: new Date(),
      assetType: 'virtual_machine',
      identifiers: [
        { type: 'smbios_uuid', value: swapped(valueOf('smbios_uuid')) },
        { type: 'serial', value: 'Default string' },
        { type: 'mac', value: valueOf('mac').toUpperCase() },
        { type: 'hostname', value: valueOf('hostname').replace(/\..*$/, '') },
        { type: 'machine_id', value: 'd2f0c1b4a5964d0f8b1f3e2d4c5b6a79' },
      ],
    },
    sweep: {
      sourceKey: `${valueOf('ip')}|${valueOf('mac')}`,
      seenAt: new Date(),
      identifiers: [
        { type: 'ip', value: valueOf('ip') },
        { type: 'mac', value: valueOf('mac') },
      ],
    },
  })

  test.each([
    ['vmware', 'ssh', 'sweep'],
    ['vmware', 'sweep', 'ssh'],
    ['ssh', 'vmware', 'sweep'],
    ['ssh', 'sweep', 'vmware'],
    ['sweep', 'vmware', 'ssh'],
    ['sweep', 'ssh', 'vmware'],
  ])('is one asset when it comes from %s, %s, %s', async (...order) => {
    const ctx = await home().newTenant()
    const all = seenBy()
    for (const kind of order) await submit(ctx, { kind, name: kind }, [all[kind] as Observation])
    const { items } = await listAssets(ctx, { limit: 10, offset: 0 })
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ assetType: 'virtual_machine', os: 'Debian GNU/Linux 12 (64-bit)' })
  })

  test('is not the copy of it that kept its BIOS UUID', async () => {
    const ctx = await home().newTenant()
    const copy: Observation = {
      ...machine,
      sourceKey: `${machine.sourceKey}-copy`,
      identifiers: [
        { type: 'cloud_id', value: `${valueOf('cloud_id')}0` },
        { type: 'smbios_uuid', value: valueOf('smbios_uuid') },
        { type: 'mac', value: '00:50:56:99:00:01' },
      ],
    }
    await submit(ctx, { kind: 'vmware', name: 'vmware' }, [machine, copy])
    expect((await listAssets(ctx, { limit: 10, offset: 0 })).items).toHaveLength(2)
  })
})
