import type { Command, CommandInput } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { changeKindNames, type Change } from './change.ts'
import { listChanges, RETENTION_DAYS } from './changes.ts'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000

export const commands: readonly Command[] = [
  {
    path: 'changes',
    tenant: true,
    options: {
      since: { value: 'WHEN', help: 'a day, an instant or a span before now such as -1d; -1d unless given' },
      until: { value: 'WHEN', help: 'before then, said as --since; of a day, before its end' },
      after: { value: 'POSITION', help: 'behind this position, as an earlier answer tells it' },
      kind: { value: 'KIND', many: true, help: `${changeKindNames.join(', ')}; may be repeated` },
      asset: { value: 'ID', help: 'of this asset' },
      by: { value: 'WHO', help: 'as answers have it: the address of a person, or system' },
      where: { value: 'CONDITION', help: 'of assets for which this is true; see docs/conditions.md' },
      limit: { value: 'N', help: `at most so many, 1 to ${LIMIT_MAX}; ${LIMIT_DEFAULT} unless given` },
    },
    help: `what changed, the oldest first; of the last ${RETENTION_DAYS} days`,
    async run(ctx, input) {
      const { items, total, next } = await listChanges(
        ctx,
        { limit: limitOf(input), offset: 0 },
        { ...queryOf(input) },
      )
      const more = total > items.length ? [`${total - items.length} more: --after ${next}`] : []
      return {
        json: { total, next, changes: items },
        text: [...items.map(toLine), ...more].join('\n') || 'Nothing.',
      }
    },
  },
]

function queryOf({ options }: CommandInput) {
  const { since, until, after, kind, asset, by, where } = options
  return {
    since: textOf(since) ?? (after === undefined ? '-1d' : undefined),
    until: textOf(until),
    after: after === undefined ? undefined : Number(after),
    kinds: textOf(kind)?.split('\n') ?? [],
    assetId: textOf(asset),
    changedBy: textOf(by),
    where: textOf(where),
  }
}

const textOf = (option: string | true | undefined): string | undefined =>
  typeof option === 'string' ? option : undefined

function limitOf({ options }: CommandInput): number {
  const limit = options['limit'] === undefined ? LIMIT_DEFAULT : Number(options['limit'])
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    throw invalid('limit', `must be a whole number from 1 to ${LIMIT_MAX}`)
  return limit
}

function toLine({ at, kind, assetName, subject, before, after, changedBy }: Change): string {
  const values = before === null && after === null ? '' : `${spelled(before)} → ${spelled(after)}`
  return [at, kind.padEnd(18), assetName, subject, values, changedBy].filter((it) => it !== '').join('  ')
}

const spelled = (value: unknown): string =>
  value === null ? '-' : typeof value === 'string' ? value : JSON.stringify(value)
