import { present, type Json } from '../../json.ts'
import type { Machine } from '../machine.ts'

const LISTEN = '0A'
/** Of UDP: a socket that is bound and not connected. */
const UNCONNECTED = '07'
const LIST_MAX = 1_000

export interface Socket {
  readonly address: string
  readonly port: number
  readonly inode: string
}

const TABLES = [
  ['tcp', '/proc/net/tcp', LISTEN],
  ['tcp', '/proc/net/tcp6', LISTEN],
  ['udp', '/proc/net/udp', UNCONNECTED],
  ['udp', '/proc/net/udp6', UNCONNECTED],
] as const

type BoundSocket = Socket & { readonly protocol: string }

async function boundSockets(machine: Machine): Promise<BoundSocket[]> {
  const rows = await Promise.all(
    TABLES.map(async ([protocol, path, state]) =>
      socketsIn((await machine.read(path)) ?? '', state)
        .filter(({ port }) => protocol === 'tcp' || !isEphemeral(port))
        .map((it) => ({ ...it, protocol })),
    ),
  )
  return rows.flat()
}

/** A socket that is opened anew has another inode. */
export const socketsStamp = async (machine: Machine): Promise<string> =>
  (await boundSockets(machine))
    .map(({ protocol, address, port, inode }) => `${protocol} ${address} ${port} ${inode}`)
    .toSorted()
    .join('\n')

/** TCP ports that listen and UDP ports that are bound, with the program where its file descriptors may be read. */
export async function listeningPorts(machine: Machine): Promise<Json> {
  const owners = await socketOwners(machine)
  const rows = (await boundSockets(machine)).map(({ protocol, address, port, inode }) => ({
    protocol,
    address,
    port,
    program: owners.get(inode),
  }))
  const byText = new Map(rows.map((it) => [`${it.protocol} ${it.port} ${it.address}`, it]))
  return [...byText]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, LIST_MAX)
    .map(([, it]) => present(it))
}

/** Ports that the kernel gives to clients: they differ from minute to minute. */
const isEphemeral = (port: number): boolean => port >= 32_768

/** A table of /proc/net: addresses as 32-bit words in the byte order of the host, little endian here. */
export function socketsIn(text: string, state: string): Socket[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line): Socket[] => {
      const fields = line.trim().split(/\s+/)
      const [address = '', port = ''] = (fields[1] ?? '').split(':')
      if (fields[3] !== state || !/^([0-9A-F]{8}|[0-9A-F]{32})$/.test(address)) return []
      return [{ address: addressIn(address), port: Number.parseInt(port, 16), inode: fields[9] ?? '' }]
    })
}

function addressIn(hex: string): string {
  const words = hex.match(/.{8}/g) ?? []
  const bytes = Buffer.concat(words.map((it) => Buffer.from(it, 'hex').reverse()))
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** Program names by inode of their sockets; those of other accounts only for root. */
async function socketOwners(machine: Machine): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>()
  const processes = (await machine.list('/proc')).filter((it) => /^\d+$/.test(it))
  for (const pid of processes) {
    const links = await Promise.all(
      (await machine.list(`/proc/${pid}/fd`)).map((fd) => machine.link(`/proc/${pid}/fd/${fd}`)),
    )
    const inodes = links.flatMap((it) => /^socket:\[(\d+)\]$/.exec(it ?? '')?.[1] ?? [])
    if (inodes.length === 0) continue
    const name = (await machine.read(`/proc/${pid}/comm`))?.trim()
    if (name !== undefined) for (const inode of inodes) owners.set(inode, name)
  }
  return owners
}
