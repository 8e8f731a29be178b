import type { Advisory, Rule } from '../../advisory.ts'
import { FeedError } from '../../feeds/feed-error.ts'
import { allFields, fieldsOf, isCveId, requireText, textOf, texts, type Fields } from '../json-fields.ts'
import type { FeedFormat } from '../format.ts'
import { wholeText } from '../lines.ts'
import { parseSecdbYaml } from './secdb-yaml.ts'

const FILE_BYTES_MAX = 67_108_864
/** The id may be followed by other words, such as `(+)` or further ids. */
const ID = /^(CVE|GHSA|XSA|ALPINE|CGA|TALOS|ZBX|TEMP|OSV|SA)-/

/**
 * Alpine's security database, one file for each release and repository, in JSON or YAML; Wolfi and Chainguard use the
 * same format. It lists the version that fixes each vulnerability; version `0` means that no version was affected.
 */
export const secdb: FeedFormat = {
  async *read({ content }) {
    const text = await wholeText(content, FILE_BYTES_MAX)
    const file = text.trimStart().startsWith('{') ? parsed(text) : parseSecdbYaml(text)
    const repository = textOf(file['reponame'])
    const release = textOf(file['distroversion'])
    const ecosystem = ecosystemOf(repository, release)
    if (!Array.isArray(file['packages'])) throw new FeedError('the file has no packages')
    for (const [at, it] of allFields(file['packages']).entries()) {
      const { name, secfixes } = fieldsOf(it['pkg'])
      const packageName = requireText(name, 'name', `package ${at + 1}`)
      const scope = [release, repository, packageName].filter(Boolean).join(' ')
      for (const [id, versions] of repairsOf(fieldsOf(secfixes)))
        yield { advisory: advisoryFrom({ id, scope }, ruleOf(ecosystem, packageName, versions)) }
    }
  },
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    throw new FeedError('the file is not JSON')
  }
}

function ecosystemOf(repository: string, release: string): string {
  if (release !== '') return `Alpine:${release}`
  if (repository === 'chainguard') return 'Chainguard'
  if (repository === 'os' || repository === 'wolfi') return 'Wolfi'
  throw new FeedError('the file does not say of which release it is (distroversion)')
}

/** Fixed versions by vulnerability; a vulnerability may be fixed more than once. */
function repairsOf(secfixes: Fields): Map<string, string[]> {
  const repairs = new Map<string, string[]>()
  for (const [version, cves] of Object.entries(secfixes)) {
    const ids = texts(cves).flatMap((it) => it.split(/[\s,]+/).filter((word) => ID.test(word)))
    for (const id of ids) repairs.set(id, [...(repairs.get(id) ?? []), version.trim()])
  }
  return repairs
}

function ruleOf(ecosystem: string, name: string, versions: readonly string[]): Rule {
  const repaired = versions.filter((it) => it !== '0')
  return {
    ecosystem,
    package: name,
    names: 'source',
    verdict: repaired.length > 0 ? 'affected' : 'not_affected',
    ranges: repaired.length > 0 ? repaired.map((fixed) => ({ fixed })) : [{}],
    versions: [],
  }
}

const advisoryFrom = (
  { id, scope }: { readonly id: string; readonly scope: string },
  rule: Rule,
): Advisory => ({
  id,
  scope,
  cveIds: isCveId(id) ? [id] : [],
  aliases: [],
  state: 'published',
  isDisputed: false,
  description: '',
  scores: [],
  weaknesses: [],
  references: [],
  rules: [rule],
})
