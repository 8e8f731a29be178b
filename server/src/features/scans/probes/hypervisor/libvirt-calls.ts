import type { Rpc } from './libvirt-rpc.ts'
import { xdr, type XdrReader } from './xdr.ts'

/** Of a guest, as calls name it. */
export interface Domain {
  readonly name: string
  readonly uuid: Buffer
  readonly id: number
}

export interface Pool {
  readonly name: string
  readonly uuid: Buffer
}

export interface NodeInfo {
  readonly memoryKb: number
  readonly cpus: number
  readonly mhz: number
  readonly sockets: number
  readonly cores: number
  readonly threads: number
}

export interface GuestInterface {
  readonly name: string
  readonly mac: string | undefined
  readonly addresses: readonly string[]
}

/** Numbers of the procedures that are asked, and no others: none of them changes anything. */
const PROCEDURE = {
  open: 1,
  close: 2,
  type: 3,
  version: 4,
  nodeInfo: 6,
  capabilities: 7,
  domainXml: 14,
  hostname: 59,
  authList: 66,
  authPolkit: 70,
  poolInfo: 87,
  libVersion: 157,
  sysinfo: 203,
  domainState: 212,
  domains: 273,
  pools: 281,
  interfaces: 284,
  domainAddresses: 353,
} as const

const READ_ONLY = 1
const LIST_MAX = 16_384
const ADDRESSES_MAX = 2_048
const UUID_LENGTH = 16
const ALL = xdr(1, 0)
const NONE = Buffer.alloc(0)

/** Ways of proving who one is, beyond the connection itself. */
export const AUTH = { none: 0, sasl: 1, polkit: 2 } as const

/** The remote procedures of libvirt that list the host and its guests. All of them only read. */
export const libvirtCalls = (rpc: Rpc) => ({
  authMethods: () => rpc.call(PROCEDURE.authList, NONE, (it) => it.list(it.int, LIST_MAX)),
  /** Where the daemon's rules let everybody read, which is how it comes. */
  byPolkit: () => rpc.call(PROCEDURE.authPolkit, NONE, (it) => it.int()),
  open: (uri: string) => rpc.call(PROCEDURE.open, xdr(1, uri, READ_ONLY), () => undefined),
  close: () => rpc.call(PROCEDURE.close, NONE, () => undefined),
  type: () => rpc.call(PROCEDURE.type, NONE, (it) => it.text()),
  version: () => rpc.call(PROCEDURE.version, NONE, (it) => dotted(it.hyper())),
  libVersion: () => rpc.call(PROCEDURE.libVersion, NONE, (it) => dotted(it.hyper())),
  hostname: () => rpc.call(PROCEDURE.hostname, NONE, (it) => it.text()),
  capabilities: () => rpc.call(PROCEDURE.capabilities, NONE, (it) => it.text()),
  sysinfo: () => rpc.call(PROCEDURE.sysinfo, xdr(0), (it) => it.text()),
  nodeInfo: () => rpc.call(PROCEDURE.nodeInfo, NONE, readNode),
  domains: () =>
    rpc.call(PROCEDURE.domains, ALL, (it) =>
      it.list((): Domain => ({ name: it.text(), uuid: it.bytes(UUID_LENGTH), id: it.int() }), LIST_MAX),
    ),
  domainXml: (domain: Domain) => rpc.call(PROCEDURE.domainXml, xdr(named(domain), 0), (it) => it.text()),
  domainState: (domain: Domain) => rpc.call(PROCEDURE.domainState, xdr(named(domain), 0), (it) => it.int()),
  /** `lease`: what the host's own DHCP gave; `arp`: what its neighbour table knows. */
  domainAddresses: (domain: Domain, source: 'lease' | 'arp') =>
    rpc.call(PROCEDURE.domainAddresses, xdr(named(domain), source === 'lease' ? 0 : 2, 0), readInterfaces),
  interfaces: () =>
    rpc.call(PROCEDURE.interfaces, ALL, (it) =>
      it.list(() => ({ name: it.text(), mac: it.text() }), LIST_MAX),
    ),
  pools: () =>
    rpc.call(PROCEDURE.pools, ALL, (it) =>
      it.list((): Pool => ({ name: it.text(), uuid: it.bytes(UUID_LENGTH) }), LIST_MAX),
    ),
  poolInfo: (pool: Pool) =>
    rpc.call(PROCEDURE.poolInfo, xdr(pool.name, pool.uuid), (it) => ({
      state: it.int(),
      capacity: it.hyper(),
      allocation: it.hyper(),
      available: it.hyper(),
    })),
})

export type LibvirtCalls = ReturnType<typeof libvirtCalls>

const named = ({ name, uuid, id }: Domain): Buffer => xdr(name, uuid, id)

/** `7002015` is 7.2.15. */
const dotted = (version: number): string =>
  [Math.floor(version / 1_000_000), Math.floor(version / 1_000) % 1_000, version % 1_000].join('.')

function readNode(it: XdrReader): NodeInfo {
  // the model: 32 characters of four octets each
  for (let i = 0; i < 32; i++) it.int()
  const memoryKb = it.hyper()
  const [cpus, mhz, , sockets, cores, threads] = Array.from({ length: 6 }, () => it.int())
  return {
    memoryKb,
    cpus: cpus ?? 0,
    mhz: mhz ?? 0,
    sockets: sockets ?? 0,
    cores: cores ?? 0,
    threads: threads ?? 0,
  }
}

function readInterfaces(it: XdrReader): GuestInterface[] {
  const address = (): string => {
    it.int() // of IPv4 or IPv6, which shows
    const text = it.text()
    it.uint() // the length of its prefix
    return text
  }
  return it.list(
    () => ({ name: it.text(), mac: it.maybeText(), addresses: it.list(address, ADDRESSES_MAX) }),
    LIST_MAX,
  )
}
