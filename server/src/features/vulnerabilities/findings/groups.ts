import { compareVersions } from '#features/software/software.ts'
import { fieldsIn } from '#platform/conditions/parse.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import { withCondition, type Filter } from '#platform/conditions/with-condition.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { FindingGroup } from './finding-group.ts'
import * as store from './groups-store.ts'

export interface GroupQuestion {
  /** `fix`: software in a version, and the version that fixes all of it; else a field of conditions on findings with one value each. */
  readonly by: string
  /** A condition on findings; empty: all that are open. Open ones as well where it does not ask about the status. */
  readonly where: string
}

/** Those with the most risk first, the unknown value last. Throws 400, which names `by` or `where`. */
export function findingGroups(
  ctx: Ctx,
  page: Page,
  { by, where }: GroupQuestion,
): Promise<Listed<FindingGroup>> {
  permit(ctx, 'vulnerabilities:read')
  const text = where.trim() === '' ? EVERYTHING : where
  return withCondition(ctx, { subject: 'finding', text }, async (inner, filter) => {
    const { items, total } = await store.groups(inner, page, filter, {
      by: by === 'fix' ? by : fieldNamed(filter.subject, by),
      status: asksForStatus(filter) ? undefined : 'open',
    })
    return { items: items.map(named), total }
  })
}

/** One update to the highest of the versions closes what the lower ones fix as well. */
function named({ versions, value, ...group }: store.StoredGroup): FindingGroup {
  const [first, ...others] = versions ?? []
  if (value === null || first === undefined) return { ...group, value }
  const highest = others.reduce((a, b) => ((compareVersions('generic', a, b) ?? 0) < 0 ? b : a), first)
  return { ...group, value: `${value} → ${highest}` }
}

const EVERYTHING = 'has id'

/** Whether a condition says itself which statuses are meant. */
export const asksForStatus = ({ condition }: Pick<Filter, 'condition'>): boolean =>
  [...fieldsIn(condition)].some(({ name }) => name === 'status')

function fieldNamed({ fields }: Subject, name: string) {
  const field = fields.find((it) => it.name === name || it.aliases?.includes(name))
  if (!field) throw invalid('by', `there is no field ${name}`)
  if (field.isList) throw invalid('by', `${name} has several values each`)
  return field
}
