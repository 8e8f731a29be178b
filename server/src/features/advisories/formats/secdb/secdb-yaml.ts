import { FeedError } from '../../feeds/feed-error.ts'
import type { Fields } from '../json-fields.ts'

interface Package {
  name: string
  secfixes: Record<string, string[]>
}

/**
 * Parses the YAML subset of Alpine's security database, which always has the same layout; any other line is refused
 * with a FeedError.
 */
export function parseSecdbYaml(text: string): Fields {
  const head: Record<string, string> = {}
  const packages: { pkg: Package }[] = []
  let version: string[] = []
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\s+$/, '')
    const pkg = packages.at(-1)?.pkg
    const [, field, value = ''] = /^(\w+): *(.*)$/.exec(line) ?? []
    const [, name] = /^ {4}name: *(.+)$/.exec(line) ?? []
    const [, repaired] = /^ {6}(\S[^#]*?): *(?:\[\])?$/.exec(line) ?? []
    const [, id] = /^ {6}- *(.+)$/.exec(line) ?? []
    if (field !== undefined) head[field] = unquoted(value)
    else if (line === '- pkg:')
      packages.push({ pkg: { name: '', secfixes: Object.create(null) as Package['secfixes'] } })
    else if (pkg && name !== undefined) pkg.name = unquoted(name)
    else if (pkg && id !== undefined) version.push(unquoted(id))
    else if (pkg && repaired !== undefined) pkg.secfixes[unquoted(repaired)] = version = []
    else if (!isOther(line)) throw new FeedError(`line ${at + 1} is not understood: ${line.slice(0, 80)}`)
  }
  return { ...head, packages: 'packages' in head ? packages : undefined }
}

const unquoted = (text: string): string => text.trim().replace(/^(['"])(.*)\1$/, '$2')

/** Blank lines, comments, the list of architectures, and the line above the versions. */
const isOther = (line: string): boolean =>
  line === '' || /^(---|\s*#|- \w+$| {4}secfixes:( \{\})?$)/.test(line)
