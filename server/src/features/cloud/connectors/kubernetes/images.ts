/** A container image. */
export interface Image {
  /** With its registry: `docker.io/library/nginx`. */
  readonly repository: string
  /** Empty where it is named by its digest alone. */
  readonly tag: string
  /** `sha256:…`; empty where no container has run yet. */
  readonly digest: string
}

const DIGEST = /@(sha(?:256|512):[0-9a-f]{32,128})$/
const NAME_LENGTH_MAX = 400

/**
 * The reference grammar of the OCI distribution specification and Docker's defaults: no registry is docker.io, no path
 * there is library/, no tag is latest. `imageId` is what the runtime resolved it to, `repository@sha256:…`.
 */
export function imageFrom(reference: string, imageId: string): Image {
  const digest = (DIGEST.exec(imageId) ?? DIGEST.exec(reference))?.[1] ?? ''
  const named = reference.replace(DIGEST, '').slice(0, NAME_LENGTH_MAX)
  const tag = /:([\w][\w.-]{0,127})$/.exec(named)?.[1]
  const name = tag === undefined ? named : named.slice(0, -tag.length - 1)
  return { repository: withRegistry(name), tag: tag ?? (DIGEST.test(reference) ? '' : 'latest'), digest }
}

function withRegistry(name: string): string {
  if (name === '') return ''
  const [first = '', ...rest] = name.split('/')
  const isRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  if (isRegistry) return name
  return rest.length === 0 ? `docker.io/library/${name}` : `docker.io/${name}`
}

/** Package URL, type oci: the last part of the name, the digest as version, registry and tag as qualifiers. */
export function purlOf({ repository, tag, digest }: Image): string {
  const name = encodeURIComponent(repository.slice(repository.lastIndexOf('/') + 1).toLowerCase())
  const version = digest === '' ? '' : `@${encodeURIComponent(digest)}`
  const qualifiers = [
    `repository_url=${encodeURIComponent(repository)}`,
    ...(tag === '' ? [] : [`tag=${encodeURIComponent(tag)}`]),
  ]
  return `pkg:oci/${name}${version}?${qualifiers.join('&')}`
}
