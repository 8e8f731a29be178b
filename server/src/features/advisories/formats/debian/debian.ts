import type { Advisory, Rule } from '../../advisory.ts'
import { jsonItems } from '../json-items.ts'
import { fieldsOf, isCveId, requireText, textOf, type Fields } from '../json-fields.ts'
import { FeedError } from '../../feeds/feed-error.ts'
import { parseSeverity } from '../../catalogue/cvss-score.ts'
import type { FeedFormat } from '../format.ts'
import { debianRelease } from './distribution-releases.ts'

/** Debian's security tracker: by source package, then by vulnerability, then by release. */
export const debian: FeedFormat = {
  async *read({ content }) {
    for await (const { number, key, value } of jsonItems(content, [])) {
      const name = requireText(key, 'package name', `record ${number}`)
      if (typeof value !== 'object' || value === null) throw new FeedError(`${name} is not an object`)
      for (const [id, issue] of Object.entries(fieldsOf(value)))
        yield { advisory: advisoryFrom(name, requireText(id, 'id', name), fieldsOf(issue)) }
    }
  },
}

function advisoryFrom(name: string, id: string, issue: Fields): Advisory {
  return {
    id,
    scope: name,
    cveIds: isCveId(id) ? [id] : [],
    aliases: [],
    state: 'published',
    isDisputed: false,
    description: textOf(issue['description']),
    scores: [],
    weaknesses: [],
    references: [`https://security-tracker.debian.org/tracker/${encodeURIComponent(id)}`],
    rules: Object.entries(fieldsOf(issue['releases'])).flatMap(([codename, said]) =>
      ruleFrom(name, codename, fieldsOf(said)),
    ),
  }
}

function ruleFrom(name: string, codename: string, said: Fields): Rule[] {
  const verdict = verdictOf(said)
  if (!verdict) return []
  const severity = parseSeverity(textOf(said['urgency']))
  const fixed = textOf(said['fixed_version'])
  const isFixed = verdict === 'affected' && textOf(said['status']) === 'resolved'
  return [
    {
      ecosystem: debianRelease(codename),
      package: name,
      names: 'source',
      verdict,
      ranges: [isFixed ? { fixed } : {}],
      versions: [],
      ...(severity && { severity }),
    },
  ]
}

/** `fixed_version` "0": no version of this release was ever affected. */
function verdictOf(said: Fields): Rule['verdict'] | undefined {
  const status = textOf(said['status'])
  if (status === 'resolved') {
    const fixed = textOf(said['fixed_version'])
    if (fixed === '') return undefined
    return fixed === '0' ? 'not_affected' : 'affected'
  }
  if (status === 'undetermined') return 'under_investigation'
  if (status !== 'open') return undefined
  const isGivenUp = textOf(said['urgency']) === 'end-of-life' || textOf(said['nodsa_reason']) === 'ignored'
  return isGivenUp ? 'will_not_fix' : 'affected'
}
