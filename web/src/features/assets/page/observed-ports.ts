/** A port on which the asset waits for others, as its sources tell of it. */
export interface ObservedPort {
  readonly port: number
  readonly protocol: string
  /** What answers there, as far as a source says. */
  readonly service: string
  /** Of sockets that a source listed: `*` is every address of the asset. Empty: it was seen from outside. */
  readonly addresses: readonly string[]
  /** Sources that tell of it. */
  readonly sources: readonly string[]
  /** When one of them did so last. */
  readonly lastSeen: string
}

interface Seen {
  readonly source: string
  readonly lastSeen: string
  readonly payload: unknown
}

type Told = Omit<ObservedPort, 'sources' | 'lastSeen'>

const SOCKET = /^(tcp|udp) (\S+) (\d{1,5})$/

/** Undefined: no source looked for ports, which is another thing than none. */
export function observedPorts(observations: readonly Seen[]): readonly ObservedPort[] | undefined {
  const ports = new Map<string, ObservedPort>()
  let isLookedFor = false
  for (const { source, lastSeen, payload } of observations) {
    const told = portsIn(payload)
    isLookedFor ||= told !== undefined
    for (const one of told ?? []) {
      const key = `${one.port} ${one.protocol}`
      ports.set(key, joined(ports.get(key), { ...one, sources: [source], lastSeen }))
    }
  }
  return isLookedFor
    ? [...ports.values()].toSorted((a, b) => a.port - b.port || a.protocol.localeCompare(b.protocol))
    : undefined
}

const joined = (known: ObservedPort | undefined, more: ObservedPort): ObservedPort =>
  known
    ? {
        ...known,
        service: known.service.length >= more.service.length ? known.service : more.service,
        addresses: [...new Set([...known.addresses, ...more.addresses])],
        sources: [...new Set([...known.sources, ...more.sources])],
        lastSeen: known.lastSeen > more.lastSeen ? known.lastSeen : more.lastSeen,
      }
    : more

function portsIn(payload: unknown): readonly Told[] | undefined {
  const { openPorts, ports, listening } = objectIn(objectIn(payload)['facts'])
  const lists = [openPorts, ports, listening].filter((it): it is unknown[] => Array.isArray(it))
  return lists.length === 0 ? undefined : lists.flat().flatMap((it) => portIn(it) ?? [])
}

/** A number, as sweeps tell it; a socket, as logins and agents list it; or an object, as nmap describes it. */
function portIn(told: unknown): Told | undefined {
  if (typeof told === 'number') return { port: told, protocol: 'tcp', service: '', addresses: [] }
  if (typeof told === 'string') {
    const [, protocol, address, port] = SOCKET.exec(told) ?? []
    return protocol !== undefined && address !== undefined
      ? { port: Number(port), protocol, service: '', addresses: [address] }
      : undefined
  }
  const { port, protocol, service, product, version } = objectIn(told)
  if (typeof port !== 'number') return undefined
  const name = [product ?? service, version].filter((it) => typeof it === 'string').join(' ')
  return { port, protocol: typeof protocol === 'string' ? protocol : 'tcp', service: name, addresses: [] }
}

const objectIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
