import { textAt } from '#platform/formats/xml-tree.ts'
import { ProbeFailure } from '../probe.ts'
import { AUTH, libvirtCalls, type Domain, type GuestInterface, type LibvirtCalls } from './libvirt-calls.ts'
import { Denied, type Rpc } from './libvirt-rpc.ts'
import { describeGuest, parsed, powerOf, sysinfoOf } from './libvirt-xml.ts'
import type { Facts, PlatformObject } from './machine-observation.ts'

export interface LibvirtPlace {
  readonly where: string
  readonly address: string
  /** What to open, in this order; the first that the host has. */
  readonly uris: readonly string[]
  readonly onRaw: (part: string, text: string) => void
}

/** The daemon wants more than the connection proves. */
export class LibvirtAccessDenied extends ProbeFailure {}

/** Opens a driver, read-only. */
export async function openLibvirt(rpc: Rpc, { where, uris }: LibvirtPlace): Promise<LibvirtCalls> {
  const calls = libvirtCalls(rpc)
  await prove(calls, where)
  const reasons: string[] = []
  for (const uri of uris) {
    try {
      await calls.open(uri)
      return calls
    } catch (error) {
      if (!(error instanceof Denied)) throw error
      reasons.push(`${uri}: ${error.message}`)
    }
  }
  throw new ProbeFailure(`libvirt on ${where} has no hypervisor that may be read (${reasons.join('; ')})`)
}

async function prove(calls: LibvirtCalls, where: string): Promise<void> {
  try {
    const authMethods = await calls.authMethods()
    if (authMethods.length === 0 || authMethods.includes(AUTH.none)) return
    if (authMethods.includes(AUTH.polkit)) return void (await calls.byPolkit())
  } catch (error) {
    if (!(error instanceof Denied)) throw error
    throw new LibvirtAccessDenied(
      `libvirt on ${where} does not let this account read (${error.message}); add it to the group libvirt there`,
    )
  }
  throw new LibvirtAccessDenied(
    `libvirt on ${where} wants a SASL password besides, which cannot be given; set auth_tls = "none" there, or use ssh`,
  )
}

/** The host and its guests. Calls that the driver refuses are left out; only a lost connection is an error. */
export async function* readLibvirt(calls: LibvirtCalls, place: LibvirtPlace): AsyncGenerator<PlatformObject> {
  const hostname = (await orUndefined(calls.hostname())) ?? place.address
  const host = await hostOf(calls, hostname, place)
  yield host
  for (const domain of await calls.domains()) {
    const seen = await guestOf(calls, domain, { host: host.name ?? hostname, onRaw: place.onRaw })
    if (seen) yield seen
  }
  // the connection may be gone before the answer to this is
  await calls.close().catch(() => undefined)
}

/** Undefined where the driver does not support or permit the call. */
const orUndefined = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof Denied) return undefined
    throw error
  })

async function hostOf(
  calls: LibvirtCalls,
  hostname: string,
  { where, address }: LibvirtPlace,
): Promise<PlatformObject> {
  const sysinfo = sysinfoOf((await orUndefined(calls.sysinfo())) ?? '')
  const capabilities = parsed((await orUndefined(calls.capabilities())) ?? '', 'capabilities')
  const uuid = sysinfo('system', 'uuid') ?? (capabilities && textAt(capabilities, 'host', 'uuid'))
  const interfaces = ((await orUndefined(calls.interfaces())) ?? []).filter(({ mac }) => mac !== '')
  const [type, version] = [await orUndefined(calls.type()), await orUndefined(calls.version())]
  return {
    sourceKey: `libvirt/host/${uuid ?? hostname}`,
    assetType: 'hypervisor',
    name: hostname,
    vendor: sysinfo('system', 'manufacturer'),
    model: sysinfo('system', 'product'),
    serial: sysinfo('system', 'serial'),
    uuid,
    hostnames: [hostname],
    addresses: [address],
    macs: interfaces.map(({ mac }) => mac),
    facts: {
      platform: `libvirt ${type ?? ''} ${version ?? ''}`.trim(),
      libvirtVersion: await orUndefined(calls.libVersion()),
      managedBy: where,
      bios: sysinfo('bios', 'version'),
      ...(await sizeOf(calls)),
      architecture: capabilities && textAt(capabilities, 'host', 'cpu', 'arch'),
      cpuModel: sysinfo('processor', 'version'),
      interfaces,
      datastores: await poolsOf(calls),
    },
  }
}

async function sizeOf(calls: LibvirtCalls): Promise<Facts> {
  const node = await orUndefined(calls.nodeInfo())
  return node
    ? {
        cpuCount: node.cpus,
        cpuSockets: node.sockets,
        cpuCores: node.cores,
        cpuMhz: node.mhz,
        memoryMb: Math.round(node.memoryKb / 1024),
      }
    : {}
}

const POOLS_MAX = 100

async function poolsOf(
  calls: LibvirtCalls,
): Promise<{ name: string; sizeBytes: number; freePercent: number }[]> {
  const pools = []
  for (const pool of ((await orUndefined(calls.pools())) ?? []).slice(0, POOLS_MAX)) {
    const info = await orUndefined(calls.poolInfo(pool))
    if (!info) continue
    const { capacity, available } = info
    // in steps of five, so that the host looks the same at the next scan
    const freePercent = capacity === 0 ? 0 : Math.round((available / capacity) * 20) * 5
    pools.push({ name: pool.name, sizeBytes: capacity, freePercent })
  }
  return pools
}

/** Undefined when it was removed meanwhile. */
async function guestOf(
  calls: LibvirtCalls,
  domain: Domain,
  { host, onRaw }: { readonly host: string; readonly onRaw: LibvirtPlace['onRaw'] },
): Promise<PlatformObject | undefined> {
  const xml = (await orUndefined(calls.domainXml(domain))) ?? ''
  const description = parsed(xml, 'domain')
  if (!description) return undefined
  onRaw(`domain ${domain.name}`, xml)
  const state = await orUndefined(calls.domainState(domain))
  return describeGuest(description, { host, state, addresses: await addressesOf(calls, domain, state) })
}

async function addressesOf(
  calls: LibvirtCalls,
  domain: Domain,
  state: number | undefined,
): Promise<readonly GuestInterface[]> {
  if (powerOf(state) !== 'on') return []
  const leases = (await orUndefined(calls.domainAddresses(domain, 'lease'))) ?? []
  if (leases.some(({ addresses }) => addresses.length > 0)) return leases
  return (await orUndefined(calls.domainAddresses(domain, 'arp'))) ?? []
}
