import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Identifier, IdentifierType, Json, Observation } from '#features/assets/observation.ts'
import { attribute, elements, textOf, type XmlElement } from '#platform/formats/xml-tree.ts'
import { shortened } from '#platform/validation/shortened.ts'

/** All that is told of the open ports, as JSON; the ports beyond that are counted. An observation may hold 64 KiB. */
export const PORTS_LENGTH_MAX = 48 * 1_024
const TEXT_LENGTH_MAX = 500

/** Why the element cannot be one of nmap's; nothing when it can. */
export function wrongWithHost(host: XmlElement): string | undefined {
  if (stateOf(host) === undefined) return 'has no status'
  const ips = addresses(host, 'ipv4', 'ipv6')
  const bad = ips.find((ip) => isIP(ip) === 0)
  if (bad !== undefined) return `has an address that is none: ${JSON.stringify(bad.slice(0, 40))}`
  return ips.length + addresses(host, 'mac').length === 0 ? 'has no address' : undefined
}

/**
 * What nmap (nmap.dtd 1.05) says of one host; nothing when it is not up. Only what stays as it is from scan to scan:
 * uptime, round trip times and sequence numbers would make every sighting a change.
 */
export function hostObservation(host: XmlElement, runStart: Date): Observation | undefined {
  if (stateOf(host) !== 'up') return undefined
  const ips = addresses(host, 'ipv4', 'ipv6').map((ip) => ipaddr.process(ip).toString())
  const macs = addresses(host, 'mac')
  const dnsNames = namesInDns(host)
  const ownNames = namesOfItself(host)
  const name = ownNames[0] ?? dnsNames[0]
  const os = systemOf(host)
  return {
    // The MAC is missing for the scanner itself and beyond routers: there the address alone has to do.
    sourceKey: `${ips[0] ?? ''}|${macs[0]?.toLowerCase() ?? ''}`,
    seenAt: instantOf(attribute(host, 'endtime') ?? attribute(host, 'starttime')) ?? runStart,
    identifiers: [
      ...identifiers('mac', macs),
      ...identifiers('hostname', ownNames),
      ...identifiers('ptr_name', dnsNames),
      ...identifiers('ssh_host_key', sshKeys(host)),
      ...identifiers('ip', ips),
    ],
    ...(name !== undefined && { name }),
    ...(os !== undefined && { os }),
    facts: factsOf(host),
  }
}

/** Seconds since 1970, as nmap writes times. */
export function instantOf(seconds: string | undefined): Date | undefined {
  const instant = new Date(Number(seconds ?? Number.NaN) * 1000)
  return Number.isNaN(instant.getTime()) ? undefined : instant
}

const stateOf = (host: XmlElement): string | undefined =>
  elements(host, 'status').map((status) => attribute(status, 'state'))[0]

function addresses(host: XmlElement, ...types: readonly string[]): string[] {
  return elements(host, 'address').flatMap((address) => {
    const value = attribute(address, 'addr')
    return value !== undefined && types.includes(attribute(address, 'addrtype') ?? 'ipv4') ? [value] : []
  })
}

const identifiers = (type: IdentifierType, values: readonly string[]): Identifier[] =>
  values.map((value) => ({ type, value }))

/** The name that the DNS has for the address, and the one by which it was asked for. */
function namesInDns(host: XmlElement): string[] {
  return distinctNames(elements(host, 'hostnames', 'hostname').map((each) => attribute(each, 'name')))
}

/** What the machine calls itself, over Windows sharing or in the greeting of a service. */
function namesOfItself(host: XmlElement): string[] {
  const smb = scripts(host).filter((script) => attribute(script, 'id') === 'smb-os-discovery')
  return distinctNames([
    ...smb.flatMap((script) => [keyed(script, 'fqdn'), keyed(script, 'server')]),
    ...scripts(host).map(netbiosName),
    ...elements(host, 'ports', 'port', 'service').map((service) => attribute(service, 'hostname')),
  ])
}

function distinctNames(names: readonly (string | undefined)[]): string[] {
  const distinct = new Map<string, string>()
  for (const name of names) if (name !== undefined) distinct.set(name.toLowerCase(), name)
  return [...distinct.values()].filter((name) => isIP(name) === 0)
}

function netbiosName(script: XmlElement): string | undefined {
  if (attribute(script, 'id') !== 'nbstat') return undefined
  return /^NetBIOS name: ([^,\s]+),/.exec(attribute(script, 'output')?.trimStart() ?? '')?.[1]
}

/** As `ssh-keygen -l` prints them. nmap's own fingerprint is MD5, so it is taken from the key itself (RFC 4253, 6.6). */
function sshKeys(host: XmlElement): string[] {
  return scripts(host)
    .filter((script) => attribute(script, 'id') === 'ssh-hostkey')
    .flatMap((script) => elements(script, 'table'))
    .flatMap((table) => {
      const key = keyed(table, 'key')
      const digest = key && createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64')
      return digest ? [`SHA256:${digest.replace(/=+$/, '')}`] : []
    })
}

/**
 * A system that nmap is sure of: what the machine itself said over SMB, an exact match of its TCP/IP fingerprint,
 * or the family that a service banner gave away. A near match is a guess, kept as a fact.
 */
function systemOf(host: XmlElement): string | undefined {
  const smb = scripts(host).find((script) => attribute(script, 'id') === 'smb-os-discovery')
  const said = smb && keyed(smb, 'os')
  // Samba calls itself a Windows.
  if (said !== undefined && !/samba/i.test(keyed(smb!, 'lanmanager') ?? '')) return said
  const exact = osMatches(host).find((match) => attribute(match, 'accuracy') === '100')
  if (exact) return attribute(exact, 'name')
  return elements(host, 'ports', 'port', 'service')
    .map((service) => attribute(service, 'ostype'))
    .find((family) => family !== undefined)
}

const osMatches = (host: XmlElement): XmlElement[] => elements(host, 'os', 'osmatch')

function scripts(host: XmlElement): XmlElement[] {
  return [...elements(host, 'hostscript', 'script'), ...elements(host, 'ports', 'port', 'script')]
}

/** The text of `<elem key="…">`. Names that came over SMB end in a NUL, which nmap writes as `\x00`. */
function keyed(element: XmlElement, key: string): string | undefined {
  const found = elements(element, 'elem').find((elem) => attribute(elem, 'key') === key)
  return (found && textOf(found).replace(/(\\x00)+$/, '')) || undefined
}

function factsOf(host: XmlElement): Readonly<Record<string, Json>> {
  const open = elements(host, 'ports', 'port').filter((port) =>
    elements(port, 'state').some((state) => attribute(state, 'state') === 'open'),
  )
  const vendor = elements(host, 'address')
    .map((address) => attribute(address, 'vendor'))
    .find((name) => name)
  const guess = osMatches(host)[0]
  return defined({
    macVendor: vendor,
    osGuess: guess && `${attribute(guess, 'name')} (${attribute(guess, 'accuracy')} %)`,
    deviceType: guess && elements(guess, 'osclass').map((each) => attribute(each, 'type'))[0],
    openPorts: open.length === 0 ? undefined : open.length,
    ports: open.length === 0 ? undefined : upTo(PORTS_LENGTH_MAX, open.map(portFacts)),
  })
}

function upTo(lengthMax: number, facts: readonly Json[]): readonly Json[] {
  let length = 0
  const over = facts.findIndex((fact) => (length += JSON.stringify(fact).length + 1) > lengthMax)
  return over === -1 ? facts : facts.slice(0, over)
}

function portFacts(port: XmlElement): Json {
  const service = elements(port, 'service')[0] ?? {}
  const of = (name: string): string | undefined => {
    const text = attribute(service, name)
    return text && shortened(text, TEXT_LENGTH_MAX)
  }
  return defined({
    port: Number(attribute(port, 'portid')),
    protocol: attribute(port, 'protocol'),
    service: of('name'),
    product: of('product'),
    version: of('version'),
    extra: of('extrainfo'),
    tunnel: of('tunnel'),
    cpe: elements(service, 'cpe').map(textOf)[0],
    ...Object.fromEntries(elements(port, 'script').flatMap(said)),
  })
}

/** Scripts that say what a service is, and say the same the next time. */
const TELLING: ReadonlyMap<string, string> = new Map([
  ['banner', 'banner'],
  ['http-title', 'title'],
  ['http-server-header', 'server'],
  ['snmp-sysdescr', 'description'],
  ['ssl-cert', 'certificate'],
])

function said(script: XmlElement): [string, string][] {
  const fact = TELLING.get(attribute(script, 'id') ?? '')
  const [output] = (attribute(script, 'output') ?? '')
    .trim()
    .split(/\n {2}System uptime|\nSubject Alternative|\nIssuer/)
  return fact === undefined || !output ? [] : [[fact, shortened(output, TEXT_LENGTH_MAX)]]
}

function defined(facts: Readonly<Record<string, Json | undefined>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [] : [[name, fact]])),
  )
}
