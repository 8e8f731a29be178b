import type {
  InstalledSoftware,
  OsRelease,
  SoftwareOrigin,
  SoftwareReport,
} from '#features/assets/observation.ts'
import type { Content, Row } from '../messages/message.ts'

/** The field `from`, in lower case. */
const origins: ReadonlyMap<string, SoftwareOrigin> = new Map([
  ['deb', 'dpkg'],
  ['rpm', 'rpm'],
  ['apk', 'apk'],
  ['pacman', 'pacman'],
  ['snap', 'snap'],
  ['flatpak', 'flatpak'],
  ['homebrew', 'brew'],
  ['brew', 'brew'],
  ['registry', 'windows'],
  ['wmi', 'hotfix'],
  ['uwp', 'windows'],
  ['pkg', 'pkg'],
  ['app', 'macos'],
])
/** Where the agent names no origin, or one of its own: OCS on Windows, everything on macOS. */
const originOfSystem: ReadonlyMap<string, SoftwareOrigin> = new Map([
  ['windows', 'windows'],
  ['macos', 'macos'],
  ['freebsd', 'pkg'],
])
const HOTFIX = /^(KB\d{6,}|(security |hot)?(update|fix) .*\(KB\d{6,}\))/i

/**
 * The whole list of software. It is complete for the origins that it names, and for those that the agent named before:
 * the last package of an origin may be gone.
 */
export function softwareIn(
  content: Content,
  release: OsRelease | undefined,
  knownOrigins: readonly string[],
): Pick<SoftwareReport, 'complete' | 'items'> {
  const fallback = originOfSystem.get(release?.id ?? '')
  const items = (content.get('softwares') ?? []).flatMap((row) => itemOf(row, fallback))
  const complete = new Set([
    ...items.map(({ origin }) => origin),
    ...(knownOrigins as readonly SoftwareOrigin[]),
  ])
  return { complete: [...complete], items }
}

function itemOf(row: Row, fallback: SoftwareOrigin | undefined): InstalledSoftware[] {
  const told = row.get('name') ?? ''
  const origin = originOf(row, told) ?? fallback
  if (told === '' || origin === undefined) return []
  // OCS tells Debian packages that may be installed for several architectures as `libc6:amd64`
  const name = origin === 'dpkg' ? told.replace(/:[a-z0-9-]+$/, '') : told
  const [arch, vendor] = [row.get('arch') || row.get('architecture'), row.get('publisher')]
  const user = row.get('username')
  const source = origin === 'dpkg' ? row.get('source') : undefined
  const lastUsedOn = row.get('last_used_on')
  const installedAt = dateIn(row.get('install_date') ?? row.get('installdate') ?? '')
  return [
    {
      origin,
      name,
      version: row.get('version') ?? '',
      ...(arch && { arch }),
      // Debian packages have no maker: agents tell the section or the distribution
      ...(vendor && origin !== 'dpkg' && { vendor }),
      ...(source && source !== name && { source: { name: source } }),
      ...(user && { user }),
      ...(installedAt && { installedAt }),
      ...(lastUsedOn && { lastUsedOn }),
    },
  ]
}

function originOf(row: Row, name: string): SoftwareOrigin | undefined {
  const origin = origins.get((row.get('from') ?? '').toLowerCase())
  return origin === 'windows' && HOTFIX.test(name) ? 'hotfix' : origin
}

/** `2025-04-20`, `2025/04/20 00:00:00` or `20/04/2025`, without a zone; undefined for `1970-00-01` and the like. */
function dateIn(text: string): Date | undefined {
  const [, y = '', m = '', d = ''] = /^(\d{4})[-/](\d\d)[-/](\d\d)/.exec(text) ?? reversed(text) ?? []
  const date = new Date(`${y}-${m}-${d}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.getTime() <= 0 ? undefined : date
}

function reversed(text: string): string[] | undefined {
  const [whole, d = '', m = '', y = ''] = /^(\d\d)\/(\d\d)\/(\d{4})/.exec(text) ?? []
  return whole === undefined ? undefined : [whole, y, m, d]
}
