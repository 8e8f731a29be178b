import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { inMemoryAccess, type InMemoryAccess } from '#test/support/app/in-memory-credentials.ts'
import { needs } from '#test/support/needs.ts'
import { vcsim, VCSIM_NEEDS, type Vcsim } from '#test/support/scanned-hosts/vcsim.ts'
import { tagOne } from './vmware/vcenter-tags.fixture.ts'
import type { VSphere } from './credential-access.ts'
import type { RawAnswer } from './probe.ts'
import { vmware } from './vmware.ts'

const credential = (more: Partial<VSphere>): VSphere => ({
  kind: 'vsphere',
  id: '1',
  name: 'reader',
  username: 'scan@vsphere.local',
  password: 'secret',
  ...more,
})

const START_MS = 300_000

async function scan(
  access: InMemoryAccess,
  onRaw: (answer: RawAnswer) => void = () => undefined,
): Promise<Observation[]> {
  const options = { signal: new AbortController().signal, now: () => new Date(0), access, onRaw }
  const seen: Observation[] = []
  for await (const each of vmware.run({ kind: 'host', host: '127.0.0.1' }, options)) seen.push(each)
  return seen
}

const valueOf = (seen: Observation | undefined, type: string): string | undefined =>
  seen?.identifiers.find((it) => it.type === type)?.value
const valuesOf = (seen: Observation | undefined, type: string): string[] =>
  (seen?.identifiers ?? []).filter((it) => it.type === type).map(({ value }) => value)

describe('the target', () => {
  test('is one host', () => {
    expect(vmware.accepts({ kind: 'host', host: 'vcenter.example.test' })).toBe(true)
    expect(vmware.accepts({ kind: 'cidr', cidr: '10.0.0.0/24' })).toMatch('one vCenter or ESXi host')
  })
})

needs(...VCSIM_NEEDS)('a vCenter', () => {
  let there: Vcsim
  let seen: Observation[]
  let access: InMemoryAccess
  let bare: Bare
  beforeAll(async () => {
    there = await vcsim('-machines', '60')
    access = inMemoryAccess(credential({ port: there.port }))
    seen = await scan(access)
    bare = await readBare(there.port)
  }, START_MS)
  afterAll(() => there?.close())

  const kind = (assetType: string): Observation[] => seen.filter((it) => it.assetType === assetType)
  const named = (name: string): Observation | undefined => seen.find((it) => it.name === name)

  test('reports every object that a plain RetrievePropertiesEx returns, once', () => {
    const namesOf = (assetType: string): Set<string | undefined> =>
      new Set(kind(assetType).map((it) => it.name))
    expect(namesOf('virtual_machine')).toEqual(new Set(bare.VirtualMachine.map(nameIn)))
    expect(namesOf('hypervisor')).toEqual(new Set(bare.HostSystem.map(nameIn)))
    expect(kind('cluster').map((it) => it.name)).toEqual(bare.ClusterComputeResource.map(nameIn))
    expect(kind('datastore').map((it) => it.name)).toEqual(bare.Datastore.map(nameIn))
    expect(kind('datacenter').map((it) => it.name)).toEqual(bare.Datacenter.map(nameIn))
    expect(bare.VirtualMachine).toHaveLength(120)
    expect(new Set(seen.map((it) => it.sourceKey)).size).toBe(seen.length)
    expect(access.uses).toEqual([{ credential: 'reader', address: '127.0.0.1', outcome: 'accepted' }])
  })

  test('reports the properties of every virtual machine', () => {
    for (const xml of bare.VirtualMachine) {
      const machine = named(nameIn(xml))
      const address = inside(xml, 'ipAddress')
      expect(valueOf(machine, 'smbios_uuid')).toBe(inside(xml, 'uuid'))
      expect(valueOf(machine, 'cloud_id')).toMatch(/^vcenter\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/)
      expect(valueOf(machine, 'cloud_id')).toMatch(new RegExp(`/${inside(xml, 'instanceUuid')}$`))
      expect(valuesOf(machine, 'mac')).toEqual([inside(xml, 'macAddress')])
      // the bridge within the guest is none of its addresses
      expect(valuesOf(machine, 'ip')).toEqual([address])
      expect(valueOf(machine, 'hostname')).toBe(inside(xml, 'hostName'))
      expect(machine).toMatchObject({
        os: 'Debian GNU/Linux 12 (64-bit)',
        facts: {
          powerState: 'on',
          cpuCount: Number(inside(xml, 'numCPU')),
          memoryMb: Number(inside(xml, 'memoryMB')),
          host: nameIn(bare.HostSystem.find((it) => refIn(it) === inside(xml, 'host')) ?? ''),
          annotation: 'owner: <team & "friends">',
          toolsState: 'guestToolsRunning',
          folder: '/DC0/vm',
          datacenter: 'DC0',
          disks: [
            {
              sizeBytes: Number(inside(xml, 'capacityInKB')) * 1024,
              file: expect.stringMatching(/^\[LocalDS_/),
            },
          ],
          interfaces: [
            { mac: inside(xml, 'macAddress'), network: 'DC0_DVPG0', addresses: [address, 'fe80::1'] },
          ],
        },
      })
    }
  })

  test('reports the properties of every host', () => {
    for (const xml of bare.HostSystem) {
      const host = named(nameIn(xml))
      expect(valueOf(host, 'smbios_uuid')).toBe(inside(xml, 'uuid'))
      expect(valueOf(host, 'serial')).toMatch(/^VMware-56 4d /)
      expect(valuesOf(host, 'mac')).toEqual(['00:0c:29:81:d8:a0', '00:0c:29:81:d8:aa'])
      expect(host).toMatchObject({
        os: 'VMware ESXi 6.5.0 build-5969303',
        vendor: inside(xml, 'vendor'),
        model: inside(xml, 'model'),
        facts: {
          version: '6.5.0',
          build: '5969303',
          cpuCores: 2,
          cpuModel: inside(xml, 'cpuModel'),
          memoryMb: Math.round(Number(inside(xml, 'memorySize')) / 1024 ** 2),
          powerState: 'on',
          maintenance: false,
          datacenter: 'DC0',
        },
      })
    }
    expect(named('DC0_C0_H0')?.facts).toMatchObject({ cluster: 'DC0_C0' })
    expect(named('DC0_H0')?.facts).not.toHaveProperty('cluster')
  })

  test('reports clusters, datastores and networks', () => {
    expect(named('DC0_C0')?.facts).toMatchObject({ hostCount: 3, cpuCores: 6, datacenter: 'DC0' })
    expect(named('LocalDS_0')?.facts).toMatchObject({ fileSystem: 'OTHER', sizeBytes: expect.any(Number) })
    expect(named('DC0')?.facts).toMatchObject({
      networks: expect.arrayContaining(['VM Network', 'DC0_DVPG0']),
    })
    expect(named('DC0_C0_RP0_VM0')?.facts).toMatchObject({ cluster: 'DC0_C0' })
  })

  test('is quoted, but not about the session', async () => {
    const raw: RawAnswer[] = []
    await scan(inMemoryAccess(credential({ port: there.port })), (answer) => void raw.push(answer))
    expect(raw.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['RetrieveServiceContent', 'HostSystem', 'VirtualMachine']),
    )
    expect(raw.every(({ text }) => !text.includes('LoginResponse'))).toBe(true)
  })

  test('reports the tags of its REST API', async () => {
    const machine = bare.VirtualMachine[7] ?? ''
    await tagOne(there.port, { type: 'VirtualMachine', id: refIn(machine) }, 'backup: daily')
    const again = await scan(inMemoryAccess(credential({ port: there.port })))
    expect(again.filter((it) => it.tags !== undefined)).toMatchObject([
      { name: nameIn(machine), tags: ['backup: daily'] },
    ])
  })

  test('asks a second time with the next credential when the first is refused', async () => {
    const { port } = there
    const both = inMemoryAccess(credential({ port, name: 'old', password: 'Wrong-1' }), credential({ port }))
    expect(await scan(both)).toHaveLength(seen.length)
    expect(both.uses.map(({ credential: name, outcome }) => [name, outcome])).toEqual([
      ['old', 'refused'],
      ['reader', 'accepted'],
    ])
  })

  test('says that it was refused, and no more', async () => {
    const wrong = inMemoryAccess(credential({ port: there.port, password: 'Wrong-1' }))
    const failure: unknown = await scan(wrong).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      name: 'ProbeFailure',
      message: expect.stringMatching(/refused "reader"; check/),
    })
    expect(String(failure)).not.toMatch('Wrong-1')
    expect(wrong.uses.map(({ outcome }) => outcome)).toEqual(['refused'])
  })

  test('is not asked without a credential', async () => {
    await expect(scan(inMemoryAccess())).rejects.toThrow('no vSphere credential may be shown to 127.0.0.1')
  })
})

needs(...VCSIM_NEEDS)('an ESXi host on its own', () => {
  let there: Vcsim
  beforeAll(async () => void (there = await vcsim('-esx')), START_MS)
  afterAll(() => there?.close())

  test('tells itself and its machines, by what they are on any server', async () => {
    const seen = await scan(inMemoryAccess(credential({ port: there.port })))
    const types = seen.map((it) => it.assetType)
    expect(types).toEqual([
      'datastore',
      'datastore',
      'hypervisor',
      ...Array<string>(4).fill('virtual_machine'),
    ])
    const [machine] = seen.filter((it) => it.assetType === 'virtual_machine')
    expect(machine?.identifiers.map((it) => it.type)).toEqual(['smbios_uuid', 'mac', 'hostname', 'ip'])
    expect(machine?.facts).toMatchObject({ host: 'localhost.localdomain', instanceUuid: expect.any(String) })
  })
})

/** Objects as the server's own XML, by type. */
type Bare = Record<
  'VirtualMachine' | 'HostSystem' | 'ClusterComputeResource' | 'Datacenter' | 'Datastore',
  string[]
>

const inside = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1]
const nameIn = (xml: string): string => /<name>name<\/name><val[^>]*>([^<]*)</.exec(xml)?.[1] ?? ''
const refIn = (xml: string): string => /<obj [^>]*>([^<]*)</.exec(xml)?.[1] ?? ''

/** Everything of every type at once, without this probe's code. */
async function readBare(port: number): Promise<Bare> {
  let cookie = ''
  const call = async (body: string): Promise<string> => {
    const question = request({
      host: '127.0.0.1',
      port,
      path: '/sdk',
      method: 'POST',
      rejectUnauthorized: false,
    })
    question.setHeader('content-type', 'text/xml')
    question.setHeader('soapaction', 'urn:vim25/6.5')
    if (cookie !== '') question.setHeader('cookie', cookie)
    question.end(
      `<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Body>${body}</Body></Envelope>`,
    )
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      question.once('response', resolve).once('error', reject),
    )
    cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? cookie
    return text(answer)
  }
  await call(
    '<Login xmlns="urn:vim25"><_this type="SessionManager">SessionManager</_this><userName>scan@vsphere.local</userName><password>secret</password></Login>',
  )
  const all = async (type: string): Promise<string[]> => {
    const view = inside(
      await call(
        `<CreateContainerView xmlns="urn:vim25"><_this type="ViewManager">ViewManager</_this><container type="Folder">group-d1</container><type>${type}</type><recursive>true</recursive></CreateContainerView>`,
      ),
      'returnval',
    )
    const answer = await call(
      `<RetrievePropertiesEx xmlns="urn:vim25"><_this type="PropertyCollector">propertyCollector</_this><specSet><propSet><type>${type}</type><all>true</all></propSet><objectSet><obj type="ContainerView">${view}</obj><skip>true</skip><selectSet xsi:type="TraversalSpec"><type>ContainerView</type><path>view</path><skip>false</skip></selectSet></objectSet></specSet><options></options></RetrievePropertiesEx>`,
    )
    return answer.match(/<objects>.*?<\/objects>/gs) ?? []
  }
  return {
    VirtualMachine: await all('VirtualMachine'),
    HostSystem: await all('HostSystem'),
    ClusterComputeResource: await all('ClusterComputeResource'),
    Datacenter: await all('Datacenter'),
    Datastore: await all('Datastore'),
  }
}
