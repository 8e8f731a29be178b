import type { Advisory, Rule } from '../../advisory.ts'
import { FeedError } from '../../feeds/feed-error.ts'
import { isCveId } from '../json-fields.ts'
import type { FeedFormat } from '../format.ts'
import { linesOf } from '../lines.ts'
import { debianRelease } from './distribution-releases.ts'

const HEAD = /^\[(\d{2} [A-Z][a-z]{2} \d{4})\] (D[SLT]A-\d+(?:-\d+)?)\s+(.*)$/
const PACKAGE = /^\t\[([a-z]+)\] - (\S+) (\S+)/

/**
 * Debian's list of security advisories: a header line, the CVE ids in braces, and a line for each release and
 * package.
 */
export const debianDsa: FeedFormat = {
  async *read({ content }) {
    let current: Advisory | undefined
    for await (const { number, text } of linesOf(content)) {
      const line = text.replace(/^ {8}/, '\t')
      const next = headOf(line)
      if (next) {
        if (current) yield { advisory: current }
        current = next
      } else if (line.trim() !== '') {
        if (!current) throw new FeedError(`line ${number} belongs to no advisory`)
        current = withLine(current, line)
      }
    }
    if (!current) throw new FeedError('the file has no advisories')
    yield { advisory: current }
  },
}

function headOf(line: string): Advisory | undefined {
  const [, day = '', id = '', title = ''] = HEAD.exec(line) ?? []
  if (id === '') return undefined
  return {
    id,
    cveIds: [],
    aliases: [],
    state: 'published',
    isDisputed: false,
    description: title,
    publishedAt: new Date(`${day} 00:00:00 UTC`),
    scores: [],
    weaknesses: [],
    references: [`https://security-tracker.debian.org/tracker/${id}`],
    rules: [],
  }
}

function withLine(advisory: Advisory, line: string): Advisory {
  const [, ids] = /^\t\{([^}]*)\}/.exec(line) ?? []
  if (ids !== undefined) return { ...advisory, cveIds: ids.split(/\s+/).filter(isCveId) }
  const rule = ruleIn(line, advisory.id)
  return rule ? { ...advisory, rules: [...advisory.rules, rule] } : advisory
}

function ruleIn(line: string, id: string): Rule | undefined {
  const [, codename = '', name = '', version = ''] = PACKAGE.exec(line) ?? []
  const isWord = version.startsWith('<')
  if (name === '' || (isWord && !/^<(not-affected|unfixed)>$/.test(version))) return undefined
  return {
    ecosystem: debianRelease(codename),
    package: name,
    names: 'source',
    verdict: version === '<not-affected>' ? 'not_affected' : 'affected',
    ranges: [isWord ? {} : { fixed: version }],
    versions: [],
    fixedBy: id,
  }
}
