import { expect, test } from 'vitest'
import { observationIn } from '../src/features/agents/signed/section-observation.ts'
import { listAssets } from '../src/features/assets/assets.ts'
import { connectAndRead, work } from '../src/features/cloud/cloud.fixture.ts'
import { listResourceDetails, syncConnection } from '../src/features/cloud/cloud.ts'
import { unixObservation } from '../src/features/scans/probes/ssh/unix/host-observation.ts'
import { submit } from '../src/features/sources/sources.ts'
import {
  createMatches,
  createSoftware,
  install,
  sync,
} from '../src/features/vulnerabilities/findings.fixture.ts'
import { searchFindings } from '../src/features/vulnerabilities/findings/search.ts'
import type { Ctx } from '../src/platform/context.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { awsValues, startAws } from './support/cloud-providers/aws-replay.ts'
import { azureValues, startAzure, vmIdOf } from './support/cloud-providers/azure-replay.ts'
import { googleValues, startGoogle } from './support/cloud-providers/google-replay.ts'

/**
 * One virtual machine as connector, agent and SSH without privilege see it: the agent's sections and the answers of the
 * Unix script go through the code that reads them. What the machines answer is written after the providers' documentation.
 */
const home = sharedTestApp()
const PAGE = { limit: 100, offset: 0 }

interface Guest {
  readonly provider: string
  readonly instanceId: string
  readonly ip: string
  readonly mac: string
  /** What the Unix script finds without privilege. */
  readonly hardware: string
  readonly cloudInit: string
}

const machines = {
  async AWS() {
    const replay = await startAws(0)
    const guest = (instanceId: string): Guest => ({
      provider: 'aws',
      instanceId,
      ip: '10.1.0.9',
      mac: '02:00:00:00:00:09',
      cloudInit: '',
      hardware: `sys_vendor=Amazon EC2\nproduct_name=t3.micro\nboard_asset_tag=${instanceId}\n`,
    })
    const make = (id: string): Guest => {
      replay.machines = [{ id, name: 'web', ip: '10.1.0.9', mac: '02:00:00:00:00:09' }]
      return guest(id)
    }
    const input = {
      provider: 'AWS',
      signIn: 'access_key',
      values: awsValues(replay, { regions: 'eu-west-1' }),
    }
    return { input, first: make('i-0aaaaaaaaaaaaaaaa'), remake: () => make('i-0bbbbbbbbbbbbbbbb') }
  },
  async Azure() {
    const replay = await startAzure(0)
    const make = (vmId: string): Guest => {
      replay.machines = [{ name: 'web', vmId, ip: '10.0.0.9', mac: '00-0D-3A-1B-C7-21' }]
      return {
        provider: 'azure',
        instanceId: vmId,
        ip: '10.0.0.9',
        mac: '00:0d:3a:1b:c7:21',
        hardware: 'sys_vendor=Microsoft Corporation\nproduct_name=Virtual Machine\n',
        cloudInit: `azure\n${vmId}\n`,
      }
    }
    const input = { provider: 'Azure', signIn: 'client_secret', values: azureValues(replay) }
    return { input, first: make(vmIdOf('first')), remake: () => make(vmIdOf('second')) }
  },
  async GCP() {
    const replay = await startGoogle(0)
    const make = (id: string): Guest => {
      replay.machines = [{ name: 'web', id, ip: '10.9.0.9' }]
      return {
        provider: 'gcp',
        instanceId: id,
        ip: '10.9.0.9',
        mac: '42:01:0a:09:00:09',
        hardware: 'sys_vendor=Google\nproduct_name=Google Compute Engine\n',
        cloudInit: `gce\n${id}\n`,
      }
    }
    const input = { provider: 'GCP', signIn: 'service_account_key', values: googleValues(replay) }
    return { input, first: make('9007199254740993'), remake: () => make('9007199254740995') }
  },
}
const names = Object.keys(machines) as (keyof typeof machines)[]

const byAgent = (ctx: Ctx, { provider, instanceId, ip, mac }: Guest) =>
  submit(ctx, { kind: 'agent', name: 'agent' }, [
    observationIn({
      sections: {
        os: { hostname: 'web', machineId: machineId(instanceId), release: { id: 'debian', versionId: '12' } },
        hardware: { virtualization: 'kvm' },
        nics: [{ name: 'ens5', mac, addresses: [ip] }],
        cloud: { provider, instanceId },
      },
      keyId: machineId(instanceId) + machineId(provider),
      sourceKey: `agent of ${instanceId}`,
      seenAt: ctx.now(),
      tags: [],
      agentVersion: '1.0.0',
      knownOrigins: [],
    }),
  ])

const bySsh = (ctx: Ctx, { ip, hardware, cloudInit, instanceId }: Guest) => {
  const text = {
    uname: 'Linux web 6.1.0-18-cloud-amd64 x86_64',
    release: 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
    hostname: 'web\n',
    'machine-id': `${machineId(instanceId)}\n`,
    hardware,
    'cloud-init': cloudInit,
  }
  const sections = new Map(
    Object.entries(text).map(([name, it]) => [name, { text: it, code: 0, isCut: false }]),
  )
  const handshake = { ident: 'SSH-2.0-OpenSSH_9.2p1', banner: '', keys: new Map(), weak: [] }
  const observation = unixObservation(
    { address: ip, port: 22 },
    handshake,
    { sections, notes: [] },
    ctx.now(),
  )
  return submit(ctx, { kind: 'ssh', name: 'ssh' }, [observation])
}

/** 32 hexadecimal digits that follow from a text. */
const machineId = (text: string): string => Buffer.from(text.padEnd(16, '.')).toString('hex').slice(-32)

const webs = async (ctx: Ctx) =>
  (await listAssets(ctx, PAGE, { type: 'virtual_machine' })).items.filter(({ name }) => name === 'web')

const resource = async (ctx: Ctx) =>
  (await listResourceDetails(ctx, PAGE, { type: 'compute', search: 'web' })).items[0]

test.each(names)(
  '%s: a machine seen by agent, connector and SSH without privilege is one asset',
  async (name) => {
    const ctx = await home().newTenant()
    const { input, first } = await machines[name]()
    await byAgent(ctx, first)
    await connectAndRead(ctx, input)
    await bySsh(ctx, first)
    const found = await webs(ctx)
    expect(found.map(({ id }) => id)).toEqual([(await resource(ctx))?.assetId])
  },
)

test.each(names)(
  '%s: a machine that is made again under its name and address inherits no finding',
  async (name) => {
    const ctx = await home().newTenant()
    const { input, first, remake } = await machines[name]()
    await byAgent(ctx, first)
    const { id } = await connectAndRead(ctx, input)
    const old = (await resource(ctx))?.assetId ?? ''
    const softwareId = await createSoftware(ctx, { name: 'openssl' })
    await createMatches(ctx, softwareId, [{ cveId: 'CVE-2024-0001' }])
    await install(ctx, old, [softwareId])
    await sync(ctx, old)
    const second = remake()
    await syncConnection(ctx, id)
    await work(ctx)
    await bySsh(ctx, second)
    await byAgent(ctx, second)
    const successor = (await resource(ctx))?.assetId
    expect(new Set((await webs(ctx)).map((it) => it.id))).toEqual(new Set([old, successor]))
    expect(successor).not.toBe(old)
    const { items } = await searchFindings(ctx, PAGE, {})
    expect(items.map(({ assetId }) => assetId)).toEqual([old])
  },
)
