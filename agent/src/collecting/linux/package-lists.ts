/** A package as the server's software inventory takes it. Versions as the manager prints them. */
export interface Package {
  readonly origin: 'dpkg' | 'rpm' | 'apk' | 'pacman' | 'snap' | 'flatpak' | 'library'
  readonly name: string
  readonly version: string
  readonly arch?: string
  readonly vendor?: string
  /** Of a library: the package of the distribution that it belongs to. */
  readonly source?: { readonly name: string; readonly version?: string }
  readonly purl?: string
  readonly paths?: readonly string[]
  /** RFC 3339. */
  readonly installedAt?: string
}

/** The status file of dpkg: only what is installed, not what left its configuration behind. */
export function dpkgPackages(text: string): Package[] {
  return paragraphs(text, DPKG_FIELD).flatMap((fields): Package[] => {
    const [name, version, status] = [fields.get('Package'), fields.get('Version'), fields.get('Status')]
    if (name === undefined || version === undefined) return []
    if (status !== undefined && !status.endsWith(' installed')) return []
    const arch = fields.get('Architecture')
    const [, source, sourceVersion] = /^(\S+)(?: \((.+)\))?$/.exec(fields.get('Source') ?? '') ?? []
    return [
      {
        origin: 'dpkg',
        name,
        version,
        ...(arch !== undefined && { arch }),
        ...(source !== undefined && {
          source: { name: source, ...(sourceVersion !== undefined && { version: sourceVersion }) },
        }),
      },
    ]
  })
}

/** `P:` name, `V:` version, `A:` architecture, `o:` origin. */
export function apkPackages(text: string): Package[] {
  return paragraphs(text, APK_FIELD).flatMap((fields): Package[] => {
    const [name, version, arch, source] = ['P', 'V', 'A', 'o'].map((it) => fields.get(it))
    if (name === undefined || version === undefined) return []
    return [
      {
        origin: 'apk',
        name,
        version,
        ...(arch !== undefined && { arch }),
        ...(source !== undefined && source !== name && { source: { name: source } }),
      },
    ]
  })
}

/** Lines of the query format: name, epoch:version-release, architecture, vendor, source package, time of installation. */
export function rpmPackages(text: string): Package[] {
  return text.split('\n').flatMap((line): Package[] => {
    const [name = '', version = '', arch = '', vendor = '', sourceFile = '', time = ''] = line.split('\t')
    if (name === '' || version === '' || name === 'gpg-pubkey') return []
    const source = /^(.+)-[^-]+-[^-]+\.(?:no)?src\.rpm$/.exec(sourceFile)?.[1]
    return [
      {
        origin: 'rpm',
        name,
        version,
        ...(told(arch) && { arch }),
        ...(told(vendor) && { vendor }),
        ...(source !== undefined && source !== name && { source: { name: source } }),
        ...(/^\d+$/.test(time) && { installedAt: new Date(Number(time) * 1_000).toISOString() }),
      },
    ]
  })
}

const told = (text: string): boolean => text !== '' && text !== '(none)'

/** The `desc` files of the local database: `%NAME%` and its value on the next line. */
export function pacmanPackages(texts: readonly string[]): Package[] {
  return texts.flatMap((text): Package[] => {
    const value = (name: string): string | undefined => new RegExp(`^%${name}%\\n(.+)$`, 'm').exec(text)?.[1]
    const [name, version, arch, base] = [value('NAME'), value('VERSION'), value('ARCH'), value('BASE')]
    if (name === undefined || version === undefined) return []
    return [
      {
        origin: 'pacman',
        name,
        version,
        ...(arch !== undefined && { arch }),
        ...(base !== undefined && base !== name && { source: { name: base } }),
      },
    ]
  })
}

const DPKG_FIELD = /^(Package|Version|Status|Architecture|Source): (.*)$/gm
const APK_FIELD = /^([PVAo]):(.*)$/gm

/**
 * The fields of each paragraph that `field` finds, by name. One paragraph is looked at after the other and only those fields
 * are taken: lists are megabytes, most of them descriptions.
 */
function paragraphs(text: string, field: RegExp): ReadonlyMap<string, string>[] {
  const found: ReadonlyMap<string, string>[] = []
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n\n', at)
    const paragraph = text.slice(at, end < 0 ? text.length : end)
    found.push(
      new Map([...paragraph.matchAll(field)].map(([, name = '', value = '']) => [name, owned(value.trim())])),
    )
    at = end < 0 ? text.length : end + 2
  }
  return found
}

/** A part of a text keeps the whole of it in memory; a copy does not. */
const owned = (text: string): string => Buffer.from(text).toString()
