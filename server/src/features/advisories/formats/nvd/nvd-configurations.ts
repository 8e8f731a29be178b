import type { Rule, VersionRange } from '../../advisory.ts'
import { parseCpe, type Cpe } from '#features/software/software.ts'
import { cpeKey } from '../cpe-key.ts'
import { FeedError } from '../../feeds/feed-error.ts'
import { allFields, listOf, textOf, type Fields } from '../json-fields.ts'

interface Match {
  readonly cpe: Cpe
  readonly isVulnerable: boolean
  readonly range: VersionRange
}

interface Node {
  readonly isAnd: boolean
  readonly matches: readonly Match[]
}

/** Bounds the memory of one record. */
const MATCHES_MAX = 50_000

/**
 * Rules of NVD's applicability statements. Configurations are alternatives; in a configuration with AND, the other
 * nodes name the platforms of the vulnerable ones. Negated statements are left out, because they name no affected
 * version; so are statements with a malformed CPE, which would otherwise cover too much.
 */
export function rulesOf(configurations: unknown, id: string): Rule[] {
  const drafts = new Map<string, Rule & { ranges: VersionRange[]; versions: string[] }>()
  let count = 0
  for (const configuration of allFields(configurations)) {
    if (configuration['negate'] === true || isUnreadable(configuration)) continue
    const nodes = allFields(configuration['nodes']).flatMap((it) => nodeFrom(it, id))
    for (const [match, runningOn] of affectedIn(nodes, textOf(configuration['operator']) === 'AND')) {
      if (++count > MATCHES_MAX) throw new FeedError(`${id} has more than ${MATCHES_MAX} configurations`)
      const rule = ruleOf(match.cpe, runningOn)
      const key = JSON.stringify(rule)
      const draft = drafts.get(key) ?? { ...rule, ranges: [], versions: [] }
      if (match.cpe.version === '*') draft.ranges.push(match.range)
      else draft.versions.push(match.cpe.version)
      drafts.set(key, draft)
    }
  }
  return [...drafts.values()].map((it) => ({ ...it, versions: [...new Set(it.versions)] }))
}

const isUnreadable = (within: Fields): boolean =>
  allFields(within['cpeMatch']).some(
    ({ criteria }) => textOf(criteria) !== '' && !parseCpe(textOf(criteria)),
  ) || [...allFields(within['nodes']), ...allFields(within['children'])].some(isUnreadable)

/** Older files nest nodes; they are read as siblings. */
function nodeFrom(node: Fields, id: string): Node[] {
  if (node['negate'] === true) return []
  const matches = listOf(node['cpeMatch']).map((it) => matchFrom(it, id))
  const inner = allFields(node['children']).flatMap((it) => nodeFrom(it, id))
  return [{ isAnd: textOf(node['operator']) === 'AND', matches }, ...inner].filter(
    (it) => it.matches.length > 0,
  )
}

function matchFrom(value: unknown, id: string): Match {
  const [match = {}] = allFields([value])
  const cpe = parseCpe(textOf(match['criteria']))
  if (!cpe)
    throw new FeedError(`${id} has a configuration without a CPE name: ${JSON.stringify(match['criteria'])}`)
  return { cpe, isVulnerable: match['vulnerable'] !== false, range: rangeOf(match) }
}

function rangeOf(match: Fields): VersionRange {
  const from = textOf(match['versionStartIncluding'])
  const after = textOf(match['versionStartExcluding'])
  const fixed = textOf(match['versionEndExcluding'])
  const last = textOf(match['versionEndIncluding'])
  return {
    ...(from && { introduced: from }),
    ...(after && !from && { introduced: after, isAfterIntroduced: true }),
    ...(fixed && { fixed }),
    ...(last && !fixed && { lastAffected: last }),
  }
}

function affectedIn(nodes: readonly Node[], isAnd: boolean): [Match, readonly string[]][] {
  return nodes.flatMap((node, at) => {
    const others = isAnd ? nodes.filter((_, other) => other !== at) : []
    const platforms = others.flatMap((it) => it.matches.filter((match) => !match.isVulnerable))
    const companions = platforms.length > 0 ? platforms : others.flatMap((it) => it.matches)
    return node.matches
      .filter((it) => it.isVulnerable)
      .map((it): [Match, readonly string[]] => {
        const beside = node.isAnd ? node.matches.filter((other) => other !== it) : []
        return [it, keysOf([...companions, ...beside])]
      })
  })
}

const keysOf = (matches: readonly Match[]): string[] =>
  [...new Set(matches.map((it) => cpeKey(it.cpe)))].toSorted()

function ruleOf(cpe: Cpe, runningOn: readonly string[]): Rule {
  const qualifiers = Object.entries({
    // `-` as update next to an exact version means the release without update, which is how inventories report it.
    update: cpe.update === '-' ? '*' : cpe.update,
    edition: cpe.edition,
    targetSw: cpe.targetSw,
    targetHw: cpe.targetHw,
    swEdition: cpe.swEdition,
  }).filter(([, value]) => value !== '*' && value !== '')
  return {
    ecosystem: 'cpe',
    package: cpeKey(cpe),
    names: 'binary',
    verdict: 'affected',
    ranges: [],
    versions: [],
    ...(qualifiers.length > 0 && { cpe: Object.fromEntries(qualifiers) }),
    ...(runningOn.length > 0 && { runningOn }),
  }
}
