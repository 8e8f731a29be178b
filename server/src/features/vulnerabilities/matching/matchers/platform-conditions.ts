import type { Rule } from '#features/advisories/advisory.ts'
import { parseCpe } from '#features/software/software.ts'
import type { Installed, Key } from './matcher.ts'

/** Whether a rule for one edition or platform applies to the software, as far as known. */

type Family = 'windows' | 'macos' | 'linux' | 'freebsd' | 'unknown'

const byOrigin: Readonly<Partial<Record<Installed['origin'], Family>>> = {
  windows: 'windows',
  hotfix: 'windows',
  macos: 'macos',
  dpkg: 'linux',
  rpm: 'linux',
  apk: 'linux',
  pacman: 'linux',
  snap: 'linux',
  flatpak: 'linux',
  brew: 'macos',
  pkg: 'freebsd',
}

function familyOf({ origin, cpe = '' }: Installed): Family {
  return origin === 'os' ? (familyNamed(cpe) ?? 'linux') : (byOrigin[origin] ?? 'unknown')
}

const families: readonly (readonly [RegExp, Family])[] = [
  [/windows/, 'windows'],
  [/mac_?os|mac_os_x|apple:os_x/, 'macos'],
  [/linux|ubuntu|debian|fedora|suse|rhel|centos/, 'linux'],
  [/freebsd/, 'freebsd'],
]

/** Undefined for target software that is not an operating system, such as the product that a plugin extends. */
const familyNamed = (name: string): Family | undefined => families.find(([named]) => named.test(name))?.[1]

/**
 * `other` when the rule is for another platform; else notes on conditions that could not be verified, empty for none.
 */
export function checkPlatform(rule: Rule, installed: Installed, key: Key): readonly string[] | 'other' {
  const family = familyOf(installed)
  const target = rule.cpe?.targetSw
  const extended = extendedBy(installed)
  if (extended !== undefined && target !== extended) return 'other'
  if (extended === undefined && target !== undefined && isSet(target)) {
    const wanted = familyNamed(target)
    if (wanted === undefined || (family !== 'unknown' && wanted !== family)) return 'other'
  }
  if (!isUpdateMeant(rule.cpe?.update, key.version)) return 'other'
  const host = hostObjection(rule.runningOn ?? [], family)
  if (host === 'other') return 'other'
  const edition = [rule.cpe?.swEdition, rule.cpe?.edition].find(
    (it) => it !== undefined && isSet(it) && !installed.name.toLowerCase().includes(it.toLowerCase()),
  )
  return [
    ...host,
    ...(target !== undefined && target !== extended && isSet(target) && family === 'unknown'
      ? [`only for ${target}`]
      : []),
    ...(edition === undefined ? [] : [`only for the edition ${edition}`]),
  ]
}

/** The product that the software is a plugin of, from `target_sw` of its own CPE name. */
function extendedBy({ cpe }: Installed): string | undefined {
  const own = cpe === undefined ? undefined : parseCpe(cpe)?.targetSw
  return own !== undefined && isSet(own) && familyNamed(own) === undefined ? own : undefined
}

const isSet = (field: string): boolean => field !== '*' && field !== '-' && field !== ''

/** `9.8` with the update `p1` is installed as `9.8p1`, `9.8-p1` or `9.8 P1`. */
function isUpdateMeant(update: string | undefined, version: string): boolean {
  if (update === undefined || !isSet(update)) return true
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return plain(version).endsWith(plain(update))
}

function hostObjection(hosts: readonly string[], family: Family): readonly string[] | 'other' {
  if (hosts.length === 0) return []
  const wanted = hosts.map(familyNamed)
  if (wanted.includes(family)) return []
  const isKnownOther = wanted.every((it) => it !== undefined && family !== 'unknown' && it !== family)
  return isKnownOther ? 'other' : [`only together with ${hosts.slice(0, HOSTS_LISTED_MAX).join(', ')}`]
}
const HOSTS_LISTED_MAX = 3
