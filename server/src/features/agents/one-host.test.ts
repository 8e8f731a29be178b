import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname, networkInterfaces, release } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { glpiAgent, ocsInventory, runFusionInventory } from '#test/support/endpoint-agents/perl-agents.ts'
import { needs } from '#test/support/needs.ts'
import { openSshLab } from '#test/support/scanned-hosts/ssh-servers.ts'
import { accessWith, keyOf, look, only } from '../scans/probes/ssh/access.fixture.ts'
import { listAgents } from './agents.ts'
import { assetsOf, enrolled } from './agents.fixture.ts'

const home = sharedTestApp()
const CLIENT_TIMEOUT_MS = 240_000
/** A source tree of the GLPI agent, where there is one. */
const glpiTree = process.env['GLPI_AGENT']

const firmware = (name: string): string => {
  try {
    return readFileSync(`/sys/class/dmi/id/${name}`, 'utf8').trim()
  } catch {
    return ''
  }
}

/** What osquery's tables would hold of this machine. osquery itself is in no registry: its documented protocol is spoken. */
function osqueryRows() {
  const interfaces = Object.entries(networkInterfaces()).map(([name, all = []]) => ({ name, all }))
  const packages = execFileSync('dpkg-query', ['-W', '-f=${Package}\t${Version}\t${Architecture}\n'], {
    encoding: 'utf8',
  })
  const name = hostname()
  return {
    rollcall_system: [
      {
        hostname: name,
        computer_name: name,
        uuid: firmware('product_uuid'),
        hardware_serial: firmware('product_serial'),
        hardware_vendor: firmware('sys_vendor'),
        hardware_model: firmware('product_name'),
      },
    ],
    rollcall_kernel: [{ version: release() }],
    rollcall_interfaces: interfaces.map((it) => ({
      interface: it.name,
      mac: it.all[0]?.mac ?? '',
      type: '1',
    })),
    rollcall_addresses: interfaces.flatMap((it) =>
      it.all.map(({ address }) => ({ interface: it.name, address })),
    ),
    rollcall_deb: packages
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([package_, version, arch]) => ({ name: package_, version, arch, source: '' })),
  }
}

/** Enrols once; answers how to report. */
async function enrolledOsquery(address: string): Promise<() => Promise<void>> {
  const ask = async (path: string, body: object) => {
    const answer = await fetch(`${address}/osquery/${path}`, { method: 'POST', body: JSON.stringify(body) })
    return (await answer.json()) as Record<string, unknown>
  }
  const { node_key } = await ask('enroll', {
    enroll_secret: 'any',
    host_identifier: hostname(),
    host_details: {
      osquery_info: { instance_id: 'instance-1' },
      system_info: osqueryRows().rollcall_system[0],
    },
  })
  return async () => {
    const results = { node_key, queries: osqueryRows(), statuses: {} }
    expect(await ask('distributed/write', results)).toEqual({ node_invalid: false })
  }
}

needs(
  'root',
  'fusioninventory-agent',
  'ocsinventory-agent',
  'unshare',
  'dpkg-query',
  'sshd',
)('a host that four programs tell of', () => {
  test(
    'FusionInventory, OCS, osquery and a scan over SSH make one asset of one host, in two rounds',
    { timeout: CLIENT_TIMEOUT_MS },
    async () => {
      const { ctx, address } = await enrolled(home())
      const place = await openSshLab()
      onTestFinished(() => place.close())
      const access = accessWith([keyOf(place, (await place.sshd()).port)])
      const runOcsInventory = ocsInventory()
      const runGlpi = glpiTree === undefined ? undefined : glpiAgent(glpiTree)
      const runOsquery = await enrolledOsquery(address)
      const ids = new Set<string>()
      for (let round = 0; round < 2; round += 1) {
        await runFusionInventory(address)
        await runOcsInventory(`${address}/ocsinventory`)
        await runOsquery()
        await runGlpi?.(address)
        const seen = { ...only(await look(access)), seenAt: new Date() }
        expect((await submit(ctx, { kind: 'ssh', name: 'SSH' }, [seen])).rejected).toEqual([])
        const assets = await assetsOf(ctx)
        expect(assets.map(({ name }) => name)).toHaveLength(1)
        for (const { id } of assets) ids.add(id)
      }
      expect(ids.size).toBe(1)
      const { items } = await listAgents(ctx, { limit: 10, offset: 0 })
      // each run of FusionInventory has a folder of its own, as after it was installed anew: another device id
      expect(items.map(({ kind }) => kind).toSorted()).toEqual([
        'fusioninventory',
        'fusioninventory',
        ...(runGlpi ? ['glpi'] : []),
        'ocs',
        'osquery',
      ])
      expect(new Set(items.map(({ assetId }) => assetId))).toEqual(ids)
    },
  )
})
