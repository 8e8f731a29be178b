import { productOfCpe } from './matchers/cpe-product.ts'
import { programsCalled } from './matchers/well-known-programs.ts'

/**
 * Programs that tools find by the content of their file, `python 3.11.2` beside Debian's `python3.11 3.11.2-6`: listed a
 * second time without what the distribution mended.
 */

/** Row of a bill of materials, as the catalogue of a tenant has it. */
export interface ListedProgram {
  readonly origin: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly cpe: string
}

/** Of the CPE dictionary's name of the product, what distributions call the package, without any version. */
const packages: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash'],
  busybox: ['busybox'],
  curl: ['curl'],
  etcd: ['etcd'],
  ffmpeg: ['ffmpeg'],
  go: ['golang', 'go'],
  haproxy: ['haproxy'],
  http_server: ['apache2', 'httpd'],
  jdk: ['openjdk', 'java-openjdk'],
  jre: ['openjdk', 'java-openjdk'],
  libcurl: ['curl'],
  lighttpd: ['lighttpd'],
  mariadb: ['mariadb'],
  memcached: ['memcached'],
  mysql: ['mysql'],
  nginx: ['nginx'],
  'node.js': ['nodejs', 'node'],
  openjdk: ['openjdk', 'java-openjdk'],
  openssh: ['openssh'],
  openssl: ['openssl'],
  perl: ['perl'],
  php: ['php'],
  postgresql: ['postgresql'],
  python: ['python', 'platform-python'],
  redis: ['redis'],
  ruby: ['ruby'],
  rust: ['rustc', 'rust'],
  samba: ['samba'],
  sqlite: ['sqlite', 'sqlite3'],
  wget: ['wget'],
}

/** The product that a row without a package URL of a registry is; undefined when it is none of these. */
export function programListed({ origin, name, version, purl, cpe }: ListedProgram): string | undefined {
  if (origin !== 'sbom' || !(purl === '' || purl.startsWith('pkg:generic/'))) return undefined
  const named = cpe === '' ? undefined : productOfCpe(cpe)?.name
  const called = programsCalled({ origin, ecosystem: '', name, version, ...(purl !== '' && { purl }) })
  return [...(named === undefined ? [] : [named]), ...called]
    .map(titleOf)
    .find((it) => Object.hasOwn(packages, it))
}

const titleOf = (product: string): string => product.split(':').at(-1) ?? ''

/** `python3.11`, `python311`, `postgresql-15`, `java-17-openjdk`. */
export function packagesOfProgram(title: string, version: string): readonly string[] {
  const [, major, minor] = /^(?:v|go)?(\d+)(?:\.(\d+))?/.exec(version) ?? []
  const ends = [major, ...(minor === undefined ? [] : [`${major}.${minor}`, `${major}${minor}`])]
  return (Object.hasOwn(packages, title) ? (packages[title] ?? []) : []).flatMap((name) => [
    name,
    ...(major === undefined ? [] : ends.flatMap((end) => withEnd(name, end ?? ''))),
  ])
}

const withEnd = (name: string, end: string): string[] =>
  name === 'java-openjdk'
    ? [`java-${end}-openjdk`, `java-1.${end}.0-openjdk`]
    : [`${name}${end}`, `${name}-${end}`]
