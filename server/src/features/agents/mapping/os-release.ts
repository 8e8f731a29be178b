import type { OsRelease } from '#features/assets/observation.ts'
import type { Content } from '../messages/message.ts'

/** Distributions by the name that agents give, as os-release(5) has their ids; the first that fits. */
const ids: readonly (readonly [RegExp, string])[] = [
  [/raspbian/i, 'raspbian'],
  [/ubuntu/i, 'ubuntu'],
  [/debian/i, 'debian'],
  [/red ?hat enterprise|\brhel\b/i, 'rhel'],
  [/centos/i, 'centos'],
  [/rocky/i, 'rocky'],
  [/alma/i, 'almalinux'],
  [/oracle linux/i, 'ol'],
  [/fedora/i, 'fedora'],
  [/amazon linux/i, 'amzn'],
  [/opensuse tumbleweed/i, 'opensuse-tumbleweed'],
  [/opensuse/i, 'opensuse-leap'],
  [/suse linux enterprise desktop/i, 'sled'],
  [/suse linux enterprise|\bsles\b/i, 'sles'],
  [/alpine/i, 'alpine'],
  [/arch ?linux/i, 'arch'],
  [/mageia/i, 'mageia'],
  [/photon/i, 'photon'],
  [/freebsd/i, 'freebsd'],
  [/mac ?os|os x/i, 'macos'],
  [/windows/i, 'windows'],
]

/** Undefined when the agent told no operating system that is known by an id. */
export function releaseIn(content: Content): OsRelease | undefined {
  const [system, hardware] = [content.get('operatingsystem')?.[0], content.get('hardware')?.[0]]
  const name = system?.get('name') || hardware?.get('osname') || ''
  const prettyName = system?.get('full_name') || hardware?.get('osname') || name
  const id = ids.find(([pattern]) => pattern.test(`${name} ${prettyName}`))?.[1]
  if (id === undefined) return undefined
  const kernel = system?.get('kernel_version')
  const told = system?.get('version') || (system ? '' : hardware?.get('osversion')) || ''
  const codename = /\(([a-z]+)\)$/i.exec(prettyName)?.[1]?.toLowerCase()
  return {
    id,
    versionId: versionOf(id, { told, prettyName, kernel: kernel ?? hardware?.get('osversion') ?? '' }),
    ...(codename !== undefined && { codename }),
    ...(prettyName !== '' && { prettyName }),
    ...(kernel !== undefined && kernel !== '' && id !== 'windows' && { kernel }),
  }
}

interface Versions {
  readonly told: string
  readonly prettyName: string
  readonly kernel: string
}

/** As VERSION_ID of os-release(5): Debian has no point release in it. Of Windows it is the build, `10.0.19045`. */
function versionOf(id: string, { told, prettyName, kernel }: Versions): string {
  if (id === 'windows') return /\d+\.\d+\.\d+(\.\d+)?/.exec(`${kernel} ${told}`)?.[0] ?? ''
  const version = /\d+(\.\d+)*/.exec(told)?.[0] ?? /\d+(\.\d+)*/.exec(prettyName)?.[0] ?? ''
  if (id === 'debian' || id === 'raspbian') return version.split('.')[0] ?? ''
  return id === 'ubuntu' ? version.split('.').slice(0, 2).join('.') : version
}
