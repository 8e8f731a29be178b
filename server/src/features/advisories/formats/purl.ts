/** A package URL (purl 1.0) in its parts, with decoded values. */
export interface Purl {
  readonly type: string
  readonly namespace: string
  readonly name: string
  readonly version: string
  readonly qualifiers: ReadonlyMap<string, string>
}

export function parsePurl(text: string): Purl | undefined {
  const [, type = '', path = '', version = '', query = ''] =
    /^pkg:\/*([a-z0-9.+-]+)\/([^@?#]+)(?:@([^?#]*))?(?:\?([^#]*))?/i.exec(text) ?? []
  const segments = path.split('/').filter(Boolean).map(decoded)
  const name = segments.pop()
  if (!name) return undefined
  const qualifiers = query.split('&').flatMap((it) => {
    const [key = '', value = ''] = it.split(/=(.*)/s)
    return key === '' ? [] : [[key.toLowerCase(), decoded(value)] as const]
  })
  return {
    type: type.toLowerCase(),
    namespace: segments.join('/'),
    name,
    version: decoded(version),
    qualifiers: new Map(qualifiers),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
