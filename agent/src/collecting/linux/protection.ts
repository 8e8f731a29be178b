import { present, type Json } from '../../json.ts'
import type { Machine } from '../machine.ts'
import { diskEncryption } from './disk-encryption.ts'

/** Programs that protect an endpoint, by the name of their process. */
const antivirusPrograms: Readonly<Record<string, string>> = {
  clamd: 'ClamAV',
  'falcon-sensor': 'CrowdStrike Falcon',
  wdavdaemon: 'Microsoft Defender for Endpoint',
  mdatp: 'Microsoft Defender for Endpoint',
  SentinelAgent: 'SentinelOne',
  's1-agent': 'SentinelOne',
  sophosd: 'Sophos',
  savd: 'Sophos',
  cbagentd: 'Carbon Black',
  ds_agent: 'Trend Micro Deep Security',
  esets_daemon: 'ESET',
  oaeventd: 'ESET',
  bdsecd: 'Bitdefender',
  'wazuh-agentd': 'Wazuh',
  cortex: 'Cortex XDR',
}

/** What was seen: encryption below the root file system, services of firewalls, processes of antivirus programs. */
export async function protection(machine: Machine): Promise<Json> {
  const running = await processNames(machine)
  const seen = Object.entries(antivirusPrograms).filter(([name]) => running.has(name.slice(0, 15)))
  return present({
    diskEncryption: await diskEncryption(machine),
    firewall: await firewallOf(machine),
    antivirus: [...new Set(seen.map(([, name]) => name))].toSorted(),
    secureBoot: await secureBoot(machine),
    selinux: (await machine.read('/sys/fs/selinux/enforce'))?.trim() === '1' ? 'enforcing' : undefined,
    apparmor:
      (await machine.read('/sys/module/apparmor/parameters/enabled'))?.trim() === 'Y' ? 'enabled' : undefined,
  })
}

async function processNames(machine: Machine): Promise<ReadonlySet<string>> {
  const processes = (await machine.list('/proc')).filter((it) => /^\d+$/.test(it))
  const names = await Promise.all(processes.map((it) => machine.read(`/proc/${it}/comm`)))
  return new Set(names.flatMap((it) => it?.trim() ?? []))
}

/** Of packages that load rules at boot. */
const firewallUnits = [
  'firewalld',
  'nftables',
  'iptables',
  'netfilter-persistent',
  'shorewall',
  'ferm',
  'csf',
] as const

/** By configuration that is in force at boot; rules themselves are not judged. `none` only where systemd says so. */
async function firewallOf(machine: Machine): Promise<string | undefined> {
  const ufw = await machine.read('/etc/ufw/ufw.conf')
  if (ufw !== undefined && /^ENABLED=yes/im.test(ufw)) return 'ufw'
  const wanted = await machine.list('/etc/systemd/system/multi-user.target.wants')
  const started = await machine.list('/etc/systemd/system/sysinit.target.wants')
  const units = new Set([...wanted, ...started])
  const found = firewallUnits.find((it) => units.has(`${it}.service`))
  return found ?? (units.size > 0 ? 'none' : undefined)
}

async function secureBoot(machine: Machine): Promise<boolean | undefined> {
  const names = await machine.list('/sys/firmware/efi/efivars')
  const variable = names.find((it) => it.startsWith('SecureBoot-'))
  if (variable === undefined) return undefined
  const text = await machine.read(`/sys/firmware/efi/efivars/${variable}`)
  return text?.charCodeAt(text.length - 1) === 1
}
