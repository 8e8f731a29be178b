/** A library of a language as its files name it. */
export interface Library {
  readonly type: 'pypi' | 'npm' | 'gem' | 'composer' | 'maven' | 'golang'
  /** With its group or scope, separated by a slash. */
  readonly name: string
  readonly version: string
}

/** What is to be done with a file of this path; undefined: it tells of no library. */
export type FileKind = 'named' | 'node' | 'composer' | 'jar' | 'program'

/** By how installers of each language call what they leave. */
export function kindOf(path: string): FileKind | undefined {
  if (path.endsWith('.jar')) return 'jar'
  if (path.endsWith('/vendor/composer/installed.json')) return 'composer'
  if (path.endsWith('/package.json')) return NODE_PACKAGE.test(path) ? 'node' : undefined
  if (PYTHON_FILE.test(path) || GEM_FILE.test(path)) return 'named'
  return PROGRAM.test(path) ? 'program' : undefined
}

/** Where programs are put by hand, under names without an ending. */
const PROGRAM = /^\/(?:usr\/local\/s?bin|(?:opt|srv|app)(?:\/[^/]+){0,3})\/[^/.]+$/

/** A package of its own, not a file of the same name within one. */
const NODE_PACKAGE = /(?:\/node_modules|^\/usr\/share\/nodejs)\/(?:@[^/]+\/)?[^/@]+\/package\.json$/
/** Installers write `_` for what separates names from versions. */
const PYTHON_FILE =
  /\/([^/-]{1,200})-(\d[^/-]{0,80})(?:-py[\d.]+)?(?:-[\w.]+)?\.(?:dist-info\/METADATA|egg-info(?:\/PKG-INFO)?)$/
/** Behind the version may stand the platform that it was built for. */
const GEM_FILE =
  /\/specifications\/(?:default\/)?([\w.-]{1,200}?)-(\d+\.[\dA-Za-z.]{1,60})(?:-[\w-]+)?\.gemspec$/

export function namedIn(path: string): Library[] {
  const python = PYTHON_FILE.exec(path)
  const [, name, version] = python ?? GEM_FILE.exec(path) ?? []
  if (name === undefined || version === undefined) return []
  return [{ type: python ? 'pypi' : 'gem', name, version }]
}

/** Of `package.json`; one without name or version is part of a program. */
export function nodePackageIn(text: string): Library[] {
  const { name, version } = fieldsIn(text) ?? {}
  const isTold = typeof name === 'string' && typeof version === 'string' && name !== '' && version !== ''
  return isTold ? [{ type: 'npm', name, version }] : []
}

/** Of Composer's `installed.json`: a list, or a list below `packages`. */
export function composerPackagesIn(text: string): Library[] {
  const all = fieldsIn(text)
  const list: unknown = Array.isArray(all) ? all : all?.['packages']
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((it): Library[] => {
    const { name, version } = (it ?? {}) as Record<string, unknown>
    if (typeof name !== 'string' || typeof version !== 'string') return []
    return [{ type: 'composer', name, version: version.replace(/^v(?=\d)/, '') }]
  })
}

/** Of `pom.properties`. */
export function mavenIn(text: string): Library[] {
  const [group, artifact, version] = ['groupId', 'artifactId', 'version'].map(
    (it) => new RegExp(`^${it}[ \\t]*=[ \\t]*(\\S{1,200})[ \\t]*$`, 'm').exec(text)?.[1],
  )
  if (group === undefined || artifact === undefined || version === undefined) return []
  return [{ type: 'maven', name: `${group}/${artifact}`, version }]
}

/** The package URL. */
export function purlOf({ type, name, version }: Library): string {
  const own = type === 'pypi' ? name.toLowerCase().replaceAll(/[-_.]+/g, '-') : name
  return `pkg:${type}/${own.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}`
}

function fieldsIn(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
