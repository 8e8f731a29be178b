import type { PackageKey, PackageRules } from '#features/advisories/advisories.ts'
import { matchers } from './matchers/all.ts'
import type { Claim, Installed, Key, Match, Matcher } from './matchers/matcher.ts'

/**
 * All matches of one software by all matchers, without those that a "not affected" of the distribution overrules.
 * Pure.
 */
export interface FoundMatch extends Match {
  readonly cveId: string
  readonly feed: string
  readonly record: string
}

/** Finds the rules of a package. */
export type RulesOf = (key: PackageKey) => readonly PackageRules[]

const DISPUTED_CONFIDENCE_MAX = 0.35

/** The ecosystem and package names to look up in the catalogue. */
export const keysOf = (installed: Installed): PackageKey[] =>
  matchers.flatMap((matcher) =>
    matcher
      .keysOf(installed)
      .flatMap((key) => [key, ...(key.builtAs ? [key.builtAs] : [])])
      .map(({ ecosystem, package: name }) => ({ ecosystem, package: name })),
  )

/** At most one for each CVE, feed and record: the one of highest confidence. */
export function matchesOf(installed: Installed, rulesOf: RulesOf): FoundMatch[] {
  return matchers.flatMap((matcher) => {
    const asked = matcher
      .keysOf(installed)
      .flatMap((key) =>
        rulesOf(key).flatMap((packageRules) => claimsIn(packageRules, key).map((claim) => ({ key, claim }))),
      )
    const spokenOf = new Map(asked.map(({ key }) => [key, cvesSpokenOf(key, rulesOf)]))
    const cleared = new Set(asked.flatMap((it) => clearedBy(installed, matcher, it)))
    const found = asked.flatMap(({ key, claim }) => {
      const match = matcher.match(installed, key, claim)
      if (!match) return []
      return claim.cveIds
        .filter((cveId) => !cleared.has(cveId) && !isForItsBuilder(key, cveId, spokenOf.get(key)))
        .map((cveId) => ({
          ...capped(leftOpen(match, key), claim),
          cveId,
          feed: claim.feed,
          record: claim.record,
        }))
    })
    return mostConfident(found)
  })
}

function claimsIn(
  { feed, advisoryId, cveIds, isDisputed, rules, ecosystem, package: name }: PackageRules,
  key: Key,
): Claim[] {
  return rules
    .filter(({ names }) => key.names === undefined || names === key.names)
    .map((rule) => ({
      feed,
      record: advisoryId,
      cveIds: cveIds.length > 0 ? cveIds : [advisoryId],
      isDisputed,
      rule: { ...rule, ecosystem, package: name },
    }))
}

/**
 * CVE ids that the distribution declares "not affected" for its own package; this takes precedence over other rules.
 */
function clearedBy(
  installed: Installed,
  matcher: Matcher,
  { key, claim }: { key: Key; claim: Claim },
): readonly string[] {
  if (claim.rule.verdict !== 'not_affected') return []
  const asAffected = { ...claim, rule: { ...claim.rule, verdict: 'affected' as const } }
  return matcher.match(installed, key, asAffected) ? claim.cveIds : []
}

/** What the feed of the distribution says of the package that it built, whatever that is. */
const cvesSpokenOf = ({ builtAs }: Key, rulesOf: RulesOf): ReadonlySet<string> =>
  new Set(builtAs ? rulesOf(builtAs).flatMap(({ cveIds, advisoryId }) => [...cveIds, advisoryId]) : [])

/** Whether the distribution alone decides. */
const isForItsBuilder = (
  { builtAs }: Key,
  cveId: string,
  spokenOf: ReadonlySet<string> | undefined,
): boolean =>
  builtAs !== undefined &&
  ((spokenOf?.has(cveId) ?? false) || (builtAs.needsMention && (spokenOf?.size ?? 0) === 0))

const LEFT_OPEN_CONFIDENCE_MAX = 0.8

/** A distribution may have fixed something without saying so. */
function leftOpen(match: Match, { builtAs }: Key): Match {
  if (!builtAs) return match
  const note = `${builtAs.ecosystem} lists fixes only, and none of this in ${builtAs.package}`
  return {
    ...match,
    grade: match.grade === 'exact' ? 'fuzzy' : match.grade,
    confidence: Math.min(match.confidence, LEFT_OPEN_CONFIDENCE_MAX),
    derivation: { ...match.derivation, notes: [...match.derivation.notes, note] },
  }
}

/** Lowers the grade and confidence of a match whose record is disputed. */
function capped(match: Match, { isDisputed }: Claim): Match {
  if (!isDisputed || match.grade === 'heuristic') return match
  const notes = [...match.derivation.notes, 'the record is disputed']
  return {
    ...match,
    grade: 'heuristic',
    confidence: Math.min(match.confidence, DISPUTED_CONFIDENCE_MAX),
    derivation: { ...match.derivation, notes },
  }
}

function mostConfident(found: readonly FoundMatch[]): FoundMatch[] {
  const best = new Map<string, FoundMatch>()
  for (const match of found) {
    const key = `${match.cveId} ${match.feed} ${match.record}`
    const known = best.get(key)
    if (!known || known.confidence < match.confidence) best.set(key, match)
  }
  return [...best.values()]
}
