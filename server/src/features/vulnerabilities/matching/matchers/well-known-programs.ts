import { parsePurl } from '#features/software/software.ts'
import type { Installed } from './matcher.ts'
import { isNoVersion } from './package.ts'

/**
 * Programs that bills of materials list by the name of their file alone, and what the CPE dictionary calls them. Only
 * names that no other program of note bears.
 */
const programs: Readonly<Record<string, readonly string[]>> = {
  bash: ['a:gnu:bash'],
  busybox: ['a:busybox:busybox'],
  consul: ['a:hashicorp:consul'],
  curl: ['a:haxx:curl'],
  etcd: ['a:etcd:etcd'],
  ffmpeg: ['a:ffmpeg:ffmpeg'],
  go: ['a:golang:go'],
  golang: ['a:golang:go'],
  haproxy: ['a:haproxy:haproxy'],
  httpd: ['a:apache:http_server'],
  java: ['a:oracle:openjdk'],
  jdk: ['a:oracle:jdk', 'a:oracle:openjdk'],
  jre: ['a:oracle:jre', 'a:oracle:openjdk'],
  libcurl: ['a:haxx:libcurl', 'a:haxx:curl'],
  lighttpd: ['a:lighttpd:lighttpd'],
  mariadb: ['a:mariadb:mariadb'],
  memcached: ['a:memcached:memcached'],
  mysql: ['a:oracle:mysql'],
  nginx: ['a:f5:nginx', 'a:nginx:nginx'],
  node: ['a:nodejs:node.js'],
  nodejs: ['a:nodejs:node.js'],
  openjdk: ['a:oracle:openjdk'],
  openssh: ['a:openbsd:openssh'],
  openssl: ['a:openssl:openssl'],
  perl: ['a:perl:perl'],
  php: ['a:php:php'],
  postgresql: ['a:postgresql:postgresql'],
  python: ['a:python:python'],
  redis: ['a:redis:redis'],
  ruby: ['a:ruby-lang:ruby'],
  rust: ['a:rust-lang:rust'],
  samba: ['a:samba:samba'],
  sqlite: ['a:sqlite:sqlite'],
  traefik: ['a:traefik:traefik'],
  vault: ['a:hashicorp:vault'],
  wget: ['a:gnu:wget'],
}

/** Libraries of registries are called like the others as well: those need `pkg:generic`, which tells a file of its own. */
const tellingAlone = new Set('curl go golang haproxy libcurl nginx openssl perl postgresql python'.split(' '))

/** Empty unless a bill of materials lists it without a package URL of a registry. */
export function programsCalled({ origin, name, version, purl }: Installed): readonly string[] {
  if (origin !== 'sbom' || isNoVersion(version)) return []
  if (purl !== undefined && parsePurl(purl)?.type !== 'generic') return []
  const key = programIn(name)
  return purl === undefined && !tellingAlone.has(key) ? [] : productsOf(key)
}

/**
 * The program that a distribution built under its name, as far as names of distributions are those of programs; its
 * package may have the major version in its name.
 */
export const programBuiltAs = (name: string): readonly string[] => productsOf(programIn(name))

const productsOf = (key: string): readonly string[] =>
  Object.hasOwn(programs, key) ? (programs[key] ?? []) : []

function programIn(name: string): string {
  const last = name.toLowerCase().split('/').at(-1) ?? ''
  return last.replace(/(?<=^(?:python|ruby|php|perl|nodejs|postgresql|openjdk))-?\d+(?:\.\d+)?$/, '')
}
