import type { Rule } from '../../advisory.ts'
import { allFields, fieldsOf, textOf, texts, type Fields } from '../json-fields.ts'
import type { Component, ProductTree } from './redhat-products.ts'

/** Product statuses in descending order of precedence. */
const STATUSES = ['fixed', 'known_affected', 'under_investigation', 'known_not_affected'] as const
type Status = (typeof STATUSES)[number]

/** One rule for each package and release; architectures are identical. `fixedBy` is the advisory with the fix. */
export function rulesOf(vulnerability: Fields, tree: ProductTree, fixedBy: string | undefined): Rule[] {
  const statuses = fieldsOf(vulnerability['product_status'])
  const givenUp = new Set(
    allFields(vulnerability['remediations'])
      .filter((it) => textOf(it['category']) === 'no_fix_planned')
      .flatMap((it) => texts(it['product_ids'])),
  )
  const rules = new Map<string, Rule>()
  const listed = new Set<string>()
  for (const status of STATUSES) {
    for (const id of texts(statuses[status])) {
      const component = tree.component(id)
      if (!component) continue
      const key = [component.ecosystem, component.package, component.names, component.module].join(' ')
      // A fixed package was affected; `known_not_affected` for another build of it does not change that.
      if (status === 'known_not_affected' && listed.has(key)) continue
      listed.add(key)
      const rule = ruleOf(component, status, givenUp.has(id))
      const isRepair = status === 'fixed' && fixedBy !== undefined
      rules.set(`${key} ${status} ${component.version ?? ''}`, isRepair ? { ...rule, fixedBy } : rule)
    }
  }
  return [...rules.values()]
}

function ruleOf(component: Component, status: Status, isGivenUp: boolean): Rule {
  const { version, ecosystem, names, module } = component
  const isOne = status === 'known_not_affected' && version !== undefined
  return {
    ecosystem,
    package: component.package,
    names,
    verdict: verdictOf(status, isGivenUp),
    ranges: isOne ? [] : [status === 'fixed' && version !== undefined ? { fixed: version } : {}],
    versions: isOne ? [version] : [],
    ...(module && { module }),
  }
}

function verdictOf(status: Status, isGivenUp: boolean): Rule['verdict'] {
  if (status === 'known_not_affected') return 'not_affected'
  if (status === 'under_investigation') return 'under_investigation'
  return isGivenUp && status === 'known_affected' ? 'will_not_fix' : 'affected'
}
