/** What an operating system's name says, as far as it says it: `windows`, `windows server`, `2019`. Normalized texts. */
export interface OperatingSystem {
  readonly family?: string
  readonly name?: string
  readonly version?: string
}

/** `text` as sources write it: `Microsoft Windows Server 2019 Standard`, `Debian GNU/Linux 12 (bookworm)`. Normalized. */
export function operatingSystemOf(text: string): OperatingSystem {
  const known = systems.find(({ pattern }) => pattern.test(text))
  if (!known) return {}
  const { family, name, pattern } = known
  const rest = text.slice((pattern.exec(text)?.index ?? 0) + (pattern.exec(text)?.[0].length ?? 0))
  const version = VERSION.exec(rest)?.[1]
  return { family, name, ...(version !== undefined && { version }) }
}

/** The first number behind the name, with what is joined to it by dots: `22.04.3`, `2012 r2`, `15.1(4)m`. */
const VERSION = /(?:^|[^\w.])[vr]?(\d+(?:\.\d+)*(?:\(\w+\)\w*)?(?: r2\b)?)/

interface Known {
  readonly pattern: RegExp
  readonly family: string
  readonly name: string
}

const known = (family: string, name: string, pattern: RegExp): Known => ({ family, name, pattern })

/** In order: the first that fits decides. */
const systems: readonly Known[] = [
  known('network', 'cisco ios xr', /\bios[ -]xr\b/),
  known('network', 'cisco ios xe', /\bios[ -]xe\b/),
  known('network', 'cisco nx-os', /\bnx-?os\b/),
  known('network', 'cisco asa', /\bcisco (?:adaptive security appliance|asa)\b/),
  known('network', 'cisco ios', /\bcisco ios\b|\bcisco internetwork operating system\b/),
  known('network', 'junos', /\bjun(?:iper )?os\b|\bjuniper junos\b/),
  known('network', 'fortios', /\bforti(?:os|gate)\b/),
  known('network', 'pan-os', /\bpan-?os\b/),
  known('network', 'routeros', /\brouteros\b/),
  known('network', 'arista eos', /\barista\b.*?\beos\b|\beos\b/),
  known('network', 'arubaos', /\baruba ?os(?:-cx)?\b/),
  known('network', 'openwrt', /\bopenwrt\b/),
  known('windows', 'windows server', /\bwindows server\b/),
  known('windows', 'windows', /\bwindows\b/),
  known('macos', 'macos', /\bmac ?os(?: x)?\b|\bos x\b|\bdarwin\b/),
  known('ios', 'ipados', /\bipad ?os\b/),
  known('ios', 'ios', /^(?:apple )?ios\b/),
  known('android', 'android', /\bandroid\b/),
  known('chromeos', 'chromeos', /\bchrome ?os\b/),
  known('esxi', 'vmware esxi', /\besxi?\b/),
  known('bsd', 'freebsd', /\bfreebsd\b/),
  known('bsd', 'openbsd', /\bopenbsd\b/),
  known('bsd', 'netbsd', /\bnetbsd\b/),
  known('bsd', 'pfsense', /\bpfsense\b/),
  known('bsd', 'opnsense', /\bopnsense\b/),
  known('unix', 'aix', /\baix\b/),
  known('unix', 'hp-ux', /\bhp-?ux\b/),
  known('unix', 'solaris', /\bsolaris\b|\bsunos\b/),
  known('linux', 'raspberry pi os', /\braspbian\b|\braspberry pi os\b/),
  known('linux', 'ubuntu', /\bubuntu\b/),
  known('linux', 'debian', /\bdebian(?: gnu\/linux)?\b/),
  known('linux', 'red hat enterprise linux', /\bred ?hat(?: enterprise linux(?: server)?)?\b|\brhel\b/),
  known('linux', 'rocky linux', /\brocky(?: linux)?\b/),
  known('linux', 'almalinux', /\balma ?linux\b/),
  known('linux', 'centos', /\bcentos(?: stream)?(?: linux)?\b/),
  known('linux', 'oracle linux', /\boracle linux(?: server)?\b/),
  known('linux', 'fedora', /\bfedora(?: linux)?\b/),
  known('linux', 'amazon linux', /\bamazon linux\b/),
  known('linux', 'suse linux enterprise', /\bsuse linux enterprise(?: (?:server|desktop))?\b|\bsle[sd]\b/),
  known('linux', 'opensuse', /\bopensuse(?: leap| tumbleweed)?\b/),
  known('linux', 'alpine linux', /\balpine(?: linux)?\b/),
  known('linux', 'arch linux', /\barch linux\b/),
  known('linux', 'photon os', /\bphoton os\b/),
  known('linux', 'proxmox ve', /\bproxmox(?: ve| virtual environment)?\b/),
  known('linux', 'linux', /\blinux\b/),
]
