import { present, type Json, type JsonObject } from '../../json.ts'
import type { Machine } from '../machine.ts'

const DAEMONS = '/Library/LaunchDaemons'
/** Accounts of people; those of services have lower numbers. */
const UID_MIN = 500
const PORTS_MAX = 1_000
/** Ports that the system gives to clients: they differ from minute to minute. */
const EPHEMERAL_FROM = 49_152

/** Daemons that somebody installed, by their label. Those of macOS are the same on each Mac of a version. */
export async function services(machine: Machine): Promise<Json> {
  const names = await machine.list(DAEMONS)
  return names
    .filter((it) => it.endsWith('.plist'))
    .map((it) => ({ name: it.slice(0, -'.plist'.length), startsAtBoot: true }))
}

/** By lsof(8), whose `-F` gives one field a line: `p` process, `c` command, `P` protocol, `n` name. */
export async function listeningPorts(machine: Machine): Promise<Json | undefined> {
  const text = await machine.run('lsof', ['-nP', '-iTCP', '-sTCP:LISTEN', '-iUDP', '-F', 'pcPn'])
  return text === undefined ? undefined : socketsIn(text)
}

export function socketsIn(text: string): Json {
  const found = new Map<string, JsonObject>()
  let [program, protocol] = ['', '']
  for (const line of text.split('\n')) {
    const value = line.slice(1)
    if (line.startsWith('c')) program = value
    else if (line.startsWith('P')) protocol = value.toLowerCase()
    else if (line.startsWith('n')) {
      const [, host = '', digits = ''] = /^(\*|\[[^\]]+\]|[\d.]+):(\d+)$/.exec(value) ?? []
      const port = Number(digits)
      if (host === '' || (protocol === 'udp' && port >= EPHEMERAL_FROM)) continue
      const address = host === '*' ? '0.0.0.0' : host.replace(/^\[|\]$/g, '')
      found.set(`${protocol} ${port} ${address}`, present({ protocol, address, port, program }))
    }
  }
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, PORTS_MAX)
    .map(([, it]) => it)
}

/** Open Directory's local node by dscl(1). */
export async function userAccounts(machine: Machine): Promise<Json | undefined> {
  const list = await machine.run('dscl', ['.', '-list', '/Users', 'UniqueID'])
  if (list === undefined) return undefined
  const group = (await machine.run('dscl', ['.', '-read', '/Groups/admin', 'GroupMembership'])) ?? ''
  const administrators = new Set(
    group
      .replace(/^GroupMembership:/, '')
      .trim()
      .split(/\s+/),
  )
  return list.split('\n').flatMap((line): JsonObject[] => {
    const [, name = '', uid = ''] = /^(\S+)\s+(-?\d+)$/.exec(line.trim()) ?? []
    if (name === '' || (Number(uid) < UID_MIN && name !== 'root')) return []
    return [present({ name, uid: Number(uid), isAdministrator: administrators.has(name) || name === 'root' })]
  })
}

/** Programs that protect an endpoint, by the label of their daemon. */
const antivirusDaemons: Readonly<Record<string, string>> = {
  'com.crowdstrike.falcond': 'CrowdStrike Falcon',
  'com.microsoft.fresno': 'Microsoft Defender for Endpoint',
  'com.sentinelone.sentineld': 'SentinelOne',
  'com.sophos.common.servicemanager': 'Sophos',
}

/** FileVault by fdesetup(8), the firewall of applications, and antivirus programs by their daemons. */
export async function protection(machine: Machine): Promise<Json> {
  const vault = await machine.run('fdesetup', ['status'])
  const wall = await machine.run('/usr/libexec/ApplicationFirewall/socketfilterfw', ['--getglobalstate'])
  const labels = new Set((await machine.list(DAEMONS)).map((it) => it.replace(/\.plist$/, '')))
  const seen = Object.entries(antivirusDaemons).filter(([label]) => labels.has(label))
  return present({
    diskEncryption: stateIn(vault, /FileVault is On/i, 'filevault'),
    firewall: stateIn(wall, /State = [12]\b|is enabled/i, 'application firewall'),
    // few programs are known by their daemons, so that none is not told
    antivirus: seen.length > 0 ? seen.map(([, name]) => name).toSorted() : undefined,
  })
}

/** `none` when the program said so; undefined when there is no such program. */
const stateIn = (text: string | undefined, on: RegExp, name: string): string | undefined =>
  text === undefined ? undefined : on.test(text) ? name : 'none'
