import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { archiveAsset, reviveAsset } from '../archive/archive.ts'
import type { ArchiveRule } from '../archive/archive-rule.ts'
import { listArchiveRules, previewArchiveRules, setArchiveRules } from '../archive/archive-rules.ts'
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
    args: ['id'],
    ...ofAsset,
    help: 'takes an asset out of lists, counts and risk, until a source sees it again',
    run: async (ctx, { args }) => told(await archiveAsset(ctx, args['id'] ?? '')),
  },
  {
    path: 'asset revive',
    args: ['id'],
    ...ofAsset,
    help: 'takes an asset back out of the archive',
    run: async (ctx, { args }) => told(await reviveAsset(ctx, args['id'] ?? '')),
  },
  {
    path: 'asset archive-rules',
    tenant: true,
    options: {
      rule: {
        value: 'KIND=DAYS',
        many: true,
        help: 'a kind of source, such as sweep, or * for all without a rule of their own',
      },
      'dry-run': { flag: true, help: 'says how many assets would be archived now, and changes nothing' },
      none: { flag: true, help: 'removes the rules' },
    },
    help: 'lists or replaces the rules by which assets are archived that no source has seen for long',
    async run(ctx, { options }) {
      const given = options['rule']
      const rules = typeof given === 'string' ? given.split('\n').map(ruleIn) : []
      if (options['dry-run'] === true) {
        const assets = await previewArchiveRules(ctx, rules.length > 0 ? rules : await listArchiveRules(ctx))
        return { json: { assets }, text: `${assets} assets would be archived now.` }
      }
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
