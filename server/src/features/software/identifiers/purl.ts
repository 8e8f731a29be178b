/** A package URL, decoded: https://github.com/package-url/purl-spec. */
export interface Purl {
  /** Lower case: `deb`, `npm`, `pypi`. */
  readonly type: string
  /** `debian`, `@angular`, `org.apache.logging.log4j`; segments joined by `/`. May be empty. */
  readonly namespace: string
  readonly name: string
  readonly version: string
  readonly qualifiers: ReadonlyMap<string, string>
  readonly subpath: string
}

export const PURL_LENGTH_MAX = 4_096
const TYPE = /^[a-z][a-z0-9.+-]*$/
const QUALIFIER = /^[a-z][a-z0-9._-]*$/

/** Undefined if the text is not a valid package URL. */
export function parsePurl(text: string): Purl | undefined {
  if (text.length > PURL_LENGTH_MAX) return undefined
  const [beforeHash, subpath = ''] = cut(text.trim(), '#', 'last')
  const [beforeQuery, query = ''] = cut(beforeHash, '?', 'last')
  const [scheme, path = ''] = cut(beforeQuery, ':', 'first')
  if (scheme.toLowerCase() !== 'pkg') return undefined
  const [type, rest = ''] = cut(path.replace(/^\/+/, ''), '/', 'first')
  const at = rest.lastIndexOf('@')
  // the one of a scope stands at the beginning of a segment
  const hasVersion = at > 0 && rest[at - 1] !== '/'
  const segments = (hasVersion ? rest.slice(0, at) : rest).split('/').filter((it) => it !== '')
  const name = decode(segments.pop() ?? '')
  const namespace = segments.map(decode)
  const version = hasVersion ? decode(rest.slice(at + 1)) : ''
  const qualifiers = readQualifiers(query)
  const folders = subpath.split('/').filter((it) => it !== '' && it !== '.' && it !== '..')
  const parts = [name, version, ...namespace, ...folders.map(decode)]
  if (!TYPE.test(type.toLowerCase()) || !name || !qualifiers || parts.includes(undefined)) return undefined
  return normalised({
    type: type.toLowerCase(),
    namespace: namespace.join('/'),
    name,
    version: version ?? '',
    qualifiers,
    subpath: folders.map(decode).join('/'),
  })
}

export function formatPurl({ type, namespace, name, version, qualifiers, subpath }: Purl): string {
  const path = [...namespace.split('/').filter((it) => it !== ''), name].map(encode).join('/')
  const query = [...qualifiers]
    .filter(([, value]) => value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${encode(value)}`)
    .join('&')
  const folders = subpath.split('/').filter((it) => it !== '')
  return [
    `pkg:${type}/${path}`,
    version && `@${encode(version)}`,
    query && `?${query}`,
    folders.length > 0 && `#${folders.map(encode).join('/')}`,
  ]
    .filter(Boolean)
    .join('')
}

/** Normalises what the registry treats as the same name. */
function normalised(purl: Purl): Purl {
  switch (purl.type) {
    case 'pypi':
      return { ...purl, name: purl.name.toLowerCase().replaceAll('_', '-') }
    case 'deb':
    case 'apk':
    case 'alpm':
    case 'github':
    case 'bitbucket':
    case 'composer':
    case 'hex':
      return { ...purl, namespace: purl.namespace.toLowerCase(), name: purl.name.toLowerCase() }
    case 'rpm':
      return { ...purl, namespace: purl.namespace.toLowerCase() }
    default:
      return purl
  }
}

function cut(text: string, mark: string, which: 'first' | 'last'): [string, string | undefined] {
  const at = which === 'first' ? text.indexOf(mark) : text.lastIndexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

function readQualifiers(query: string): Map<string, string> | undefined {
  const found = new Map<string, string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const [key, value = ''] = cut(pair, '=', 'first')
    const decoded = decode(value)
    if (!QUALIFIER.test(key.toLowerCase()) || decoded === undefined) return undefined
    if (decoded !== '') found.set(key.toLowerCase(), decoded)
  }
  return found
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const encode = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('%3A', ':')
    .replaceAll(/[!'()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
