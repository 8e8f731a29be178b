import type { InstalledSoftware, SoftwareReport } from '#features/assets/observation.ts'
import type { Installed } from './host-resources-mib.ts'

/** hrSWInstalled as a report. The MIB has names only; agents write version and architecture into them. */
export function softwareOf(
  installed: { readonly items: readonly Installed[]; readonly isComplete: boolean } | undefined,
): SoftwareReport | undefined {
  if (!installed) return undefined
  return { complete: installed.isComplete ? ['snmp'] : [], items: installed.items.map(softwareItem) }
}

/** `openssh-client_1:9.2p1-2_amd64`, as net-snmp spells Debian's packages: no part can hold an underscore. */
const DEBIAN = /^([a-z0-9][a-z0-9+.-]+)_(\d[^_\s]*)_([a-z0-9-]+)$/
/** `bash-4.2.46-34.el7.x86_64`, as it spells those of rpm; older ones leave the architecture out. */
const RPM = /^(\S+)-([^-\s]+-[^-\s]+?)(?:\.(x86_64|noarch|i[3-6]86|aarch64|ppc64le|ppc64|s390x|armv7hl))?$/
/** The release of an rpm as distributions write it; without one, a name with hyphens is just a name. */
const RPM_RELEASE = /\.(el|fc|amzn|mga|oe|lp|sles|suse)\w*/i
/** `Mozilla Firefox 115.0 (x64 en-US)`: people's names of products, and their version at the end. */
const TRAILING_VERSION = /^(.{2,200}?)[ -]+v?(\d+(?:\.\d+){1,4})(?: \([^()]{1,40}\))?$/

export function softwareItem({ name, at }: Installed): InstalledSoftware {
  return { origin: 'snmp', ...split(name), ...(at && { installedAt: at }) }
}

function split(text: string): Pick<InstalledSoftware, 'name' | 'version' | 'arch'> {
  const debian = DEBIAN.exec(text)
  if (debian) return named(debian)
  const rpm = RPM.exec(text)
  if (rpm && (rpm[3] !== undefined || RPM_RELEASE.test(rpm[2] ?? ''))) return named(rpm)
  const product = TRAILING_VERSION.exec(text)
  return product ? named(product) : { name: text, version: '' }
}

const named = ([, name = '', version = '', arch]: RegExpExecArray) => ({
  name,
  version,
  ...(arch !== undefined && { arch }),
})
