import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { archiveAsset, reviveAsset } from '../archive/archive.ts'
import type { ArchiveRule } from '../archive/archive-rule.ts'
import { listArchiveRules, setArchiveRules } from '../archive/archive-rules.ts'
import type { Asset } from '../asset.ts'
import { tenantOfAsset } from '../assets.ts'

const ofAsset: Pick<Command, 'tenant' | 'tenantOf'> = {
  tenant: true,
  tenantOf: (system, { args }) => tenantOfAsset(system, args['id'] ?? ''),
}

const told = ({ id, name, archivedAt, archivedBy }: Asset) => ({
  json: { id, name, archived_at: archivedAt, archived_by: archivedBy },
  text: archivedAt === null ? `${name} is not archived.` : `${name} is archived.`,
})

export const archiveCommands: readonly Command[] = [
  {
    path: 'asset archive',
    canBeTried: true,
    args: ['id'],
    ...ofAsset,
    help: 'takes an asset out of lists, counts and risk, until a source sees it again',
    run: async (ctx, { args }) => told(await archiveAsset(ctx, args['id'] ?? '')),
  },
  {
    path: 'asset revive',
    canBeTried: true,
    args: ['id'],
    ...ofAsset,
    help: 'takes an asset back out of the archive',
    run: async (ctx, { args }) => told(await reviveAsset(ctx, args['id'] ?? '')),
  },
  {
    path: 'asset archive-rules',
    canBeTried: true,
    tenant: true,
    options: {
      rule: {
        value: 'KIND=DAYS',
        many: true,
        help: 'a kind of source, such as sweep, or * for all without a rule of their own',
      },
      none: { flag: true, help: 'removes the rules' },
    },
    help: 'lists or replaces the rules by which assets are archived that no source has seen for long',
    async run(ctx, { options }) {
      const given = options['rule']
      const rules = typeof given === 'string' ? given.split('\n').map(ruleIn) : []
      const isSet = rules.length > 0 || options['none'] === true
      const now = isSet ? await setArchiveRules(ctx, rules) : await listArchiveRules(ctx)
      return {
        json: { rules: now },
        text: now.length > 0 ? now.map(lineOf).join('\n') : 'There are no rules.',
      }
    },
  },
]

function ruleIn(text: string): ArchiveRule {
  const [, kind = '', days = ''] = /^([^=]+)=(\d{1,4})$/.exec(text) ?? []
  if (kind === '') throw invalid('rule', `${text}: must be like sweep=30`)
  return { sourceKind: kind === '*' ? '' : kind, days: Number(days) }
}

const lineOf = ({ sourceKind, days }: ArchiveRule): string =>
  `${sourceKind || 'other sources'}: after ${days} days without a sighting`
