import type { InstalledSoftware } from '#features/assets/observation.ts'
import type { Purl } from './purl.ts'

/** The package as its ecosystem spells it (`org.apache:commons`, `@scope/name`), its version, and its source. */
export function packageOfPurl(
  purl: Purl,
): Pick<InstalledSoftware, 'name'> & Partial<Pick<InstalledSoftware, 'version' | 'arch' | 'source'>> {
  const { qualifiers } = purl
  const arch = qualifiers.get('arch')
  const source = sourceIn(purl)
  const epoch = purl.type === 'rpm' ? qualifiers.get('epoch') : undefined
  const version = epoch !== undefined && /^[0-9]+$/.test(epoch) ? `${epoch}:${purl.version}` : purl.version
  return {
    name: nameOf(purl),
    ...(purl.version !== '' && { version }),
    ...(arch !== undefined && { arch }),
    ...(source && { source }),
  }
}

const ofTheSystem = new Set(['deb', 'rpm', 'apk', 'alpm'])

function nameOf({ type, namespace, name }: Purl): string {
  if (namespace === '' || ofTheSystem.has(type)) return name
  return `${namespace}${type === 'maven' ? ':' : '/'}${name}`
}

/** `upstream=openssl@3.0.11`, for rpm `upstream=openssl-1.1.1k-12.el8.src.rpm`. */
function sourceIn({ type, qualifiers }: Purl): InstalledSoftware['source'] {
  const upstream = qualifiers.get('upstream')
  if (upstream === undefined || !ofTheSystem.has(type)) return undefined
  const [, ofRpm] = /^(.+)-[^-]+-[^-]+\.src\.rpm$/.exec(upstream) ?? []
  if (ofRpm !== undefined) return { name: ofRpm }
  const [name = '', version] = upstream.split('@')
  return { name, ...(version !== undefined && version !== '' && { version }) }
}
