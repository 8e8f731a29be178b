import { hash } from 'node:crypto'
import { softwareOrigins } from '#features/assets/assets.ts'
import type { InstalledSoftware, OsRelease, SoftwareOrigin } from '#features/assets/observation.ts'
import { parseCpe } from '../identifiers/cpe.ts'
import { ecosystemOf, ecosystemOfRelease, listsFixesOnly, systemCpe } from '../identifiers/ecosystems.ts'
import { PURL_LENGTH_MAX } from '../identifiers/purl.ts'

/** `os` is the operating system itself. */
export type EntryOrigin = SoftwareOrigin | 'os'

/** One distinct piece of software, as stored in `software`. Empty texts are unknown. */
export interface Entry {
  readonly origin: EntryOrigin
  readonly ecosystem: string
  readonly name: string
  readonly version: string
  readonly arch: string
  readonly sourceName: string
  readonly sourceVersion: string
  readonly vendor: string
  readonly purl: string
  readonly cpe: string
}

const NAME_LENGTH_MAX = 512
const TEXT_LENGTH_MAX = 512
const CPE_LENGTH_MAX = 2_048
const MARK = '\u001f'

/** Undefined when the name is missing or too long, or the origin unknown. */
export function entryOf(item: InstalledSoftware, release: OsRelease | undefined): Entry | undefined {
  const name = text(item.name)
  if (name === '' || name.length > NAME_LENGTH_MAX || !origins.has(item.origin)) return undefined
  const purl = withDistribution(text(item.purl), item, release)
  const cpe = text(item.cpe)
  return {
    origin: item.origin,
    ecosystem: ecosystemOf(item, release),
    name,
    version: text(item.version).slice(0, TEXT_LENGTH_MAX),
    arch: text(item.arch).slice(0, TEXT_LENGTH_MAX),
    sourceName: text(item.source?.name).slice(0, NAME_LENGTH_MAX),
    sourceVersion: text(item.source?.version).slice(0, TEXT_LENGTH_MAX),
    vendor: text(item.vendor).slice(0, TEXT_LENGTH_MAX),
    purl: purl.length > PURL_LENGTH_MAX ? '' : purl,
    cpe: cpe.length > CPE_LENGTH_MAX || cpe === '' || !parseCpe(cpe) ? '' : cpe,
  }
}

/**
 * A library that a package of such a distribution brought says of which: no other field of it does, and the feed of that
 * release is asked whether it has fixed what the registry's advisories say.
 */
function withDistribution(purl: string, item: InstalledSoftware, release: OsRelease | undefined): string {
  if (item.origin !== 'library' || !item.source || !release || !/^pkg:[^?#]+$/.test(purl)) return purl
  if (!listsFixesOnly(ecosystemOfRelease(release))) return purl
  const distro = [release.id, release.versionId].filter(Boolean).join('-')
  return `${purl}?distro=${encodeURIComponent(distro)}`
}

/** The operating system as an entry, for advisories on systems as a whole; its version is the build. */
export function systemEntry(release: OsRelease): Entry | undefined {
  const name = text(release.id)
  if (name === '' || name.length > NAME_LENGTH_MAX) return undefined
  return {
    origin: 'os',
    ecosystem: ecosystemOfRelease(release),
    name,
    version: text(release.versionId).slice(0, TEXT_LENGTH_MAX),
    arch: '',
    sourceName: '',
    sourceVersion: '',
    vendor: '',
    purl: '',
    cpe: systemCpe(release),
  }
}

/** Identity of an entry: equal for equal fields. */
export const keyOf = (it: Entry): string =>
  [
    it.origin,
    it.ecosystem,
    it.name,
    it.version,
    it.arch,
    it.sourceName,
    it.sourceVersion,
    it.vendor,
    it.purl,
    it.cpe,
  ].join(MARK)

const DIGEST_CHARACTERS = 32

/** Hexadecimal, 16 bytes. */
export const digestOf = (key: string): string => hash('sha256', key).slice(0, DIGEST_CHARACTERS)

const origins: ReadonlySet<string> = new Set(softwareOrigins)

/** PostgreSQL stores no NUL, and UTF-8 no lone surrogates. */
function text(value: string | undefined): string {
  if (value === undefined || value === '') return ''
  return (UNSTORABLE.test(value) ? value.replaceAll(/\p{Cc}/gu, ' ').toWellFormed() : value).trim()
}

const UNSTORABLE = /[\p{Cc}\p{Cs}]/u
