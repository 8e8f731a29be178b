import { serviceName } from './service-names.ts'

export interface OpenPort {
  readonly protocol: 'tcp' | 'udp'
  readonly port: number
  /** The registered name of the port; empty where there is none. */
  readonly service: string
  /** What the service said of itself, such as its banner or the title of its first page; may be empty. */
  readonly banner: string
}

/** The facts that ports are read from: those of a sweep, and `listening` of scans that log in. */
export const portFacts = [
  'openPorts',
  'listening',
  'sshBanner',
  'ftpGreeting',
  'http',
  'https',
  'tls',
  'rtsp',
  'ipp',
] as const

const BANNER_LENGTH_MAX = 200

/**
 * The open ports among the facts of an observation, in order and each once. Ports on which a host listens to itself
 * alone are left out. Undefined: this kind of scan does not say which ports are open.
 */
export function openPortsOf(facts: unknown): readonly OpenPort[] | undefined {
  if (!isRecord(facts)) return undefined
  const { openPorts, listening } = facts
  if (!Array.isArray(openPorts) && !Array.isArray(listening)) return undefined
  const found = new Map<string, OpenPort>()
  const add = (protocol: 'tcp' | 'udp', port: number): void => {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return
    const banner = protocol === 'tcp' ? bannerOf(port, facts) : ''
    found.set(`${protocol} ${port}`, { protocol, port, service: serviceName(protocol, port), banner })
  }
  for (const port of listOf(openPorts)) if (typeof port === 'number') add('tcp', port)
  for (const line of listOf(listening)) {
    const [, protocol, address = '', port] = /^(tcp|udp) (\S+) (\d{1,5})$/.exec(String(line)) ?? []
    if (protocol !== undefined && !isLoopback(address)) add(protocol === 'udp' ? 'udp' : 'tcp', Number(port))
  }
  return [...found.values()].toSorted((a, b) => a.protocol.localeCompare(b.protocol) || a.port - b.port)
}

const isLoopback = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/i.test(address)

function bannerOf(port: number, facts: Readonly<Record<string, unknown>>): string {
  const http = (name: string): string => textOf(facts[name], 'title', 'server', 'realm')
  const isAlternative = listOf(facts['openPorts']).includes(80)
  const banners: Readonly<Record<number, () => string>> = {
    21: () => textOf(facts['ftpGreeting']),
    22: () => textOf(facts['sshBanner']),
    80: () => http('http'),
    443: () => http('https') || textOf(facts['tls'], 'subject'),
    554: () => textOf(facts['rtsp']),
    631: () => textOf(facts['ipp'], 'makeAndModel', 'info'),
    // a sweep reads the page of one of the two
    8080: () => (isAlternative ? '' : http('http')),
  }
  return (banners[port]?.() ?? '').slice(0, BANNER_LENGTH_MAX)
}

/** The text, or the first of the fields that has one. */
function textOf(value: unknown, ...fields: readonly string[]): string {
  if (typeof value === 'string') return value
  if (!isRecord(value)) return ''
  return (fields.map((name) => value[name]).find((it) => typeof it === 'string' && it !== '') as string) ?? ''
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
