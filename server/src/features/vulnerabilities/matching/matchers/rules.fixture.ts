import type { PackageRules } from '#features/advisories/advisories.ts'
import type { Rule } from '#features/advisories/advisory.ts'
import { matchesOf } from '../find-matches.ts'
import type { Installed } from './matcher.ts'

/** For tests: a catalogue of a few rules, and what it says of one software. */
export type RuleSpec = Partial<Rule> & { readonly isDisputed?: boolean; readonly feed?: string }

export function rules(...told: readonly (readonly [ecosystem: string, name: string, it: RuleSpec])[]) {
  const all = told.map(([ecosystem, name, { isDisputed = false, feed = 'feed', ...rule }]): PackageRules => ({
    ecosystem,
    package: name,
    feed,
    advisoryId: 'CVE-1',
    cveIds: ['CVE-1'],
    isDisputed,
    rules: [{ names: 'binary', verdict: 'affected', ranges: [], versions: [], ...rule }],
  }))
  return (key: { ecosystem: string; package: string }) =>
    all.filter((it) => it.ecosystem === key.ecosystem && it.package === key.package)
}

export const gradeOf = (installed: Installed, found: ReturnType<typeof rules>): string | undefined =>
  matchesOf(installed, found)[0]?.grade
export const before = (fixed: string): RuleSpec => ({ ranges: [{ fixed }] })
