import { linesOf, word } from '../terminal-text.ts'
import type { Section } from './script-output.ts'

export interface Listening {
  readonly protocol: 'tcp' | 'udp'
  readonly address: string
  readonly port: number
}

/** Local addresses and ports that wait for others, in order and each once. */
export function listeningIn(text: string): readonly Listening[] {
  const found = new Map<string, Listening>()
  let form = ''
  for (const line of linesOf(text)) {
    const begun = /^form=(\w+)$/.exec(line.trim())?.[1]
    if (begun !== undefined) form = begun
    else {
      const one = listeners[form]?.(line.trim().slice(0, 1_000))
      if (one && one.port > 0 && one.port < 65_536)
        found.set(`${one.protocol} ${one.address} ${one.port}`, one)
    }
  }
  return [...found.values()].toSorted(
    (a, b) => a.protocol.localeCompare(b.protocol) || a.port - b.port || a.address.localeCompare(b.address),
  )
}

type Line = (line: string) => Listening | undefined

const listeners: Readonly<Record<string, Line>> = {
  ss: (line) => {
    const [protocol, state, , , local] = line.split(/\s+/, 6)
    return state === 'LISTEN' || state === 'UNCONN' ? placeOf(protocol, local) : undefined
  },
  netstat: (line) => {
    const [protocol, , , local, , state] = line.split(/\s+/, 7)
    return protocol?.startsWith('udp') || state === 'LISTEN' ? placeOf(protocol, local) : undefined
  },
  // user, command, process, descriptor, protocol, local, foreign
  sockstat: (line) => {
    const [, , , , protocol, local, foreign] = line.split(/\s+/, 8)
    return foreign === '*:*' ? placeOf(protocol, local) : undefined
  },
  // the port stands behind the last dot
  bsd: (line) => {
    const [protocol, , , local, foreign, state] = line.split(/\s+/, 7)
    const waits = state === 'LISTEN' || (protocol?.startsWith('udp') && foreign === '*.*')
    return waits ? placeOf(protocol, local?.replace(/\.(\d+|\*)$/, ':$1')) : undefined
  },
  tcp: (line) => fromKernel('tcp', line),
  tcp6: (line) => fromKernel('tcp', line),
  udp: (line) => fromKernel('udp', line),
  udp6: (line) => fromKernel('udp', line),
}

function placeOf(protocol: string | undefined, local: string | undefined): Listening | undefined {
  const [, kind] = /^(tcp|udp)/.exec(protocol ?? '') ?? []
  const [, address, port] = /^(.*):(\d{1,5})$/.exec(local ?? '') ?? []
  if (address === undefined || port === undefined) return undefined
  const bare = address.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  const any = bare === '*' || bare === '' ? '*' : bare
  return { protocol: kind === 'udp' ? 'udp' : 'tcp', address: any.slice(0, 64), port: Number(port) }
}

/** proc_net_tcp: the address in words of the machine's byte order, of which little-endian is assumed; 0A is LISTEN. */
function fromKernel(protocol: 'tcp' | 'udp', line: string): Listening | undefined {
  const [, hex = '', port = '', state] =
    /^\d+: ([0-9A-F]{8}(?:[0-9A-F]{24})?):([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} ([0-9A-F]{2}) /.exec(line) ?? []
  if (state !== (protocol === 'tcp' ? '0A' : '07')) return undefined
  const octets = (hex.match(/.{8}/g) ?? []).flatMap((it) => it.match(/../g)?.toReversed() ?? [])
  const address =
    octets.length === 4
      ? octets.map((it) => Number.parseInt(it, 16)).join('.')
      : (octets.join('').match(/.{4}/g) ?? []).join(':').toLowerCase()
  return { protocol, address: /^[0:.]+$/.test(address) ? '*' : address, port: Number.parseInt(port, 16) }
}

export interface Service {
  readonly name: string
  readonly isRunning: boolean
}

/** Services by whichever manager the machine has. */
export function servicesIn(text: string): {
  readonly manager?: string
  readonly services: readonly Service[]
} {
  const [first = '', ...lines] = linesOf(text)
  const manager = /^manager=(\w+)$/.exec(first.trim())?.[1]
  const read = manager === undefined ? undefined : managers[manager]
  if (manager === undefined || !read) return { services: [] }
  const services = lines.flatMap((line) => read(line.trim().slice(0, 1_000)) ?? [])
  return { manager, services: services.toSorted((a, b) => a.name.localeCompare(b.name)) }
}

const running = (text: string): Service | undefined => {
  const name = word(text)
  return name === undefined ? undefined : { name, isRunning: true }
}

const managers: Readonly<Record<string, (line: string) => Service | undefined>> = {
  systemd: (line) => {
    const [, name, state] = /^(?:● ?|\* ?)?(\S+)\.service\s+\S+\s+\S+\s+(\S+)/u.exec(line) ?? []
    return name === undefined ? undefined : { name, isRunning: state === 'running' }
  },
  openrc: (line) => {
    const [, name, state] = /^(\S+)\s[^[]*\[\s*(\w+)/.exec(line) ?? []
    return name === undefined ? undefined : { name, isRunning: state === 'started' }
  },
  // process (or a dash), last exit status, label
  launchd: (line) => {
    const [pid = '', , label] = line.split(/\s+/, 3)
    return label === undefined || pid === 'PID' ? undefined : { name: label, isRunning: /^\d+$/.test(pid) }
  },
  rcctl: running,
  rc: (line) => running(line.replace(/^.*\//, '')),
  procd: (line) => (/^S\d/.test(line) ? running(line.replace(/^S\d+/, '')) : undefined),
}

export interface Account {
  readonly name: string
  readonly uid: number
  readonly home?: string
  readonly shell?: string
}

/** `name:uid:gid:home:shell`, or `name uid` of macOS. */
export const accountsIn = (text: string): readonly Account[] =>
  linesOf(text).flatMap((line) => {
    const [name, uid, , home, shell] = line.includes(':') ? line.split(':', 5) : line.trim().split(/\s+/, 2)
    const [clean, number] = [word(name), Number(uid)]
    if (clean === undefined || uid === undefined || !Number.isInteger(number)) return []
    const [at, login] = [word(home), word(shell)]
    return [
      {
        name: clean,
        uid: number,
        ...(at !== undefined && { home: at }),
        ...(login !== undefined && { shell: login }),
      },
    ]
  })

export interface Container {
  readonly id: string
  readonly image: string
  readonly name: string
}

export const containersIn = (section: Section | undefined): readonly Container[] =>
  linesOf(section?.code === 0 ? section.text : '').flatMap((line) => {
    const [id, image, name] = line.split('\t', 5).map((it) => word(it))
    return id === undefined || !/^[0-9a-f]{12,64}$/.test(id)
      ? []
      : [{ id: id.slice(0, 12), image: image ?? '', name: name ?? '' }]
  })
