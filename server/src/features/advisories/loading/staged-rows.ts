import { createHash } from 'node:crypto'
import type { Advisory, Rule } from '../advisory.ts'
import { FeedError } from '../feeds/feed-error.ts'
import type { Entry } from '../formats/format.ts'

/** Identity of the staged rows of one file. */
export interface Load {
  readonly id: string
  readonly feed: string
  readonly part: string
  /** Records missing in the file are removed; otherwise the file only adds and changes. */
  readonly isWhole: boolean
}

/** Kind of a stored entry. */
export type EntryKind = 'advisory' | 'exploited' | 'likelihood' | 'lifecycle'

/** An entry as a JSON row for the database, with its key. */
export interface StagedRow {
  readonly kind: EntryKind
  readonly key: string
  /** SHA-256 in hexadecimal; empty for small entries. */
  readonly digest: string
  /** RFC 3339. */
  readonly modifiedAt?: string
  readonly json: string
}

/** Longer names are refused: they would not fit into an index. */
const NAME_LENGTH_MAX = 500
const RULES_OF_PACKAGE_MAX = 20_000

export function stagedRow(entry: Entry): StagedRow {
  if ('advisory' in entry) return advisoryRow(entry.advisory)
  if ('exploited' in entry) return plainRow('exploited', entry.exploited.cveId, entry.exploited)
  if ('likelihood' in entry) return plainRow('likelihood', entry.likelihood.cveId, entry.likelihood)
  return plainRow('lifecycle', entry.lifecycle.product, entry.lifecycle)
}

function advisoryRow(advisory: Advisory): StagedRow {
  const { id, scope, cveIds, aliases, state, isDisputed, severity } = advisory
  const key = short(scope === undefined ? id : `${id} ${scope}`, id)
  const {
    description,
    publishedAt = null,
    modifiedAt = null,
    scores,
    ssvc,
    weaknesses,
    references,
  } = advisory
  const content = {
    id,
    state,
    is_disputed: isDisputed,
    cve_ids: cveIds,
    names: [...new Set([id, ...cveIds, ...aliases])].filter((it) => it.length <= NAME_LENGTH_MAX),
    severity: severity ?? null,
    body: { description, publishedAt, modifiedAt, scores, ...(ssvc && { ssvc }), weaknesses, references },
    packages: state === 'published' ? packagesOf(advisory) : [],
  }
  const text = storable(content)
  const digest = createHash('sha256').update(text).digest('hex')
  return {
    kind: 'advisory',
    key,
    digest,
    ...(modifiedAt && { modifiedAt: modifiedAt.toISOString() }),
    json: `{"key":${JSON.stringify(key)},"digest":"${digest}",${text.slice(1)}`,
  }
}

function packagesOf({ id, rules }: Advisory): object[] {
  const byPackage = Map.groupBy(rules, (it) => JSON.stringify([it.ecosystem, it.package]))
  return [...byPackage.values()].map((them) => {
    const [first] = them
    if (them.length > RULES_OF_PACKAGE_MAX)
      throw new FeedError(`${id} has more than ${RULES_OF_PACKAGE_MAX} rules for a package`)
    return {
      ecosystem: short(first?.ecosystem ?? '', id),
      package: short(first?.package ?? '', id),
      rules: them.map(withoutPackage),
    }
  })
}

/** Undefined fields are omitted by JSON.stringify. */
const withoutPackage = (rule: Rule): object => ({ ...rule, ecosystem: undefined, package: undefined })

function short(name: string, id: string): string {
  if (name.length > NAME_LENGTH_MAX)
    throw new FeedError(`${id.slice(0, 100)} has a name of more than ${NAME_LENGTH_MAX} characters`)
  return name.replaceAll('\0', '').toWellFormed()
}

const plainRow = (kind: EntryKind, key: string, body: object): StagedRow => ({
  kind,
  key: short(key, key),
  digest: '',
  json: `{"key":${JSON.stringify(short(key, key))},"body":${storable(body)}}`,
})

/** Removes NUL and unpaired surrogates, which PostgreSQL cannot store. */
function storable(value: object): string {
  const text = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text
  return JSON.stringify(value, (_, it: unknown) =>
    typeof it === 'string' ? it.replaceAll('\0', '').toWellFormed() : it,
  )
}
