import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { queryAssets } from './listing/filter-and-sort.ts'
import { tenantOfAsset } from './assets.ts'
import { archiveCommands } from './cli/archive.ts'
import { customFieldCommands } from './cli/custom-fields.ts'
import { groupCommands } from './cli/groups.ts'
import { rememberedNameCommands } from './cli/remembered-names.ts'
import type { AttributeName } from './attributes/source-precedence.ts'
import { mergeAssets, unlinkObservations } from './editing/merge-and-unlink.ts'
import { mergeByName } from './remembered-names/remembered-names.ts'
import { clearAttribute, setAttribute } from './editing/attribute-edits.ts'
import { explainAsset, type Explanation } from './details/explain-asset.ts'

const reason = { reason: { value: 'TEXT', help: 'why; stored with the change' } }

const ofAsset: Pick<Command, 'tenant' | 'tenantOf'> = {
  tenant: true,
  tenantOf: (system, { args }) => tenantOfAsset(system, args['id'] ?? args['a'] ?? ''),
}

const SHOWN_DEFAULT = 50
const SHOWN_MAX = 1_000

export const commands: readonly Command[] = [
  ...archiveCommands,
  ...customFieldCommands,
  ...groupCommands,
  ...rememberedNameCommands,
  {
    path: 'asset list',
    tenant: true,
    options: {
      where: { value: 'CONDITION', help: 'for which this is true; see docs/conditions.md' },
      search: { value: 'TEXT', help: 'anywhere in id, name, address, serial, system, make and model, tags' },
      limit: { value: 'N', help: `at most so many; ${SHOWN_DEFAULT} unless given` },
    },
    help: 'assets, the newest sighting first',
    async run(ctx, { options }) {
      const [where, search] = [options['where'], options['search']].map(given)
      const { items, total } = await queryAssets(
        ctx,
        { limit: limitIn(options), offset: 0 },
        { where, search },
      )
      const lines = items.map(({ id, name, assetType, deviceType, ipAddress, os, lastSeen }) =>
        [id, name, assetType, deviceType, ipAddress || '-', os || '-', lastSeen].join('  '),
      )
      const more = total > items.length ? [`${total - items.length} more`] : []
      return { json: { total, assets: items }, text: [...lines, ...more].join('\n') || 'Nothing.' }
    },
  },
  {
    path: 'asset explain',
    args: ['id'],
    ...ofAsset,
    help: 'why the asset is one: observations, evidence, constraints of people, and which values win',
    async run(ctx, { args }) {
      const explanation = await explainAsset(ctx, args['id'] ?? '')
      return { json: explanation, text: asText(explanation) }
    },
  },
  {
    path: 'asset set',
    canBeTried: true,
    args: ['id', 'attribute', 'value'],
    ...ofAsset,
    options: { ...reason, lock: { help: 'the value wins over every source' } },
    help: 'corrects an attribute, for example deviceType, vendor or model; no source overwrites it',
    async run(ctx, { args, options }) {
      const { id = '', value = '' } = args
      const attribute = attributeIn(args)
      const lock = options['lock'] === true
      const why = textOf(options['reason'])
      const asset = await setAttribute(ctx, { assetId: id, attribute, value, reason: why, lock })
      const json = { id, [attribute]: asset[attribute] }
      return { json, text: `${asset.name}: ${attribute} is ${asset[attribute]} now.` }
    },
  },
  {
    path: 'asset clear',
    canBeTried: true,
    args: ['id', 'attribute'],
    ...ofAsset,
    help: 'removes a correction: the value of the best source applies again',
    async run(ctx, { args }) {
      const { id = '' } = args
      const attribute = attributeIn(args)
      const asset = await clearAttribute(ctx, id, attribute)
      const json = { id, [attribute]: asset[attribute] }
      return { json, text: `${asset.name}: ${attribute} is ${asset[attribute] || 'empty'} now.` }
    },
  },
  {
    path: 'asset merge',
    canBeTried: true,
    args: ['a', 'b'],
    ...ofAsset,
    options: {
      ...reason,
      remember: { help: 'phones: every later one of their name is the same device too' },
    },
    help: 'merges two assets permanently; the older one survives',
    async run(ctx, { args, options }) {
      const merge = {
        assetIdA: args['a'] ?? '',
        assetIdB: args['b'] ?? '',
        reason: textOf(options['reason']),
      }
      const asset = await (options['remember'] === true ? mergeByName : mergeAssets)(ctx, merge)
      return { json: { id: asset.id, name: asset.name }, text: `Both are ${asset.name} (${asset.id}) now.` }
    },
  },
  {
    path: 'asset unlink',
    canBeTried: true,
    args: ['id', 'observations...'],
    ...ofAsset,
    options: reason,
    help: 'splits observations off an asset permanently (their ids: asset explain)',
    async run(ctx, { args, options }) {
      const assets = await unlinkObservations(ctx, {
        assetId: args['id'] ?? '',
        observationIds: (args['observations'] ?? '').split(/[\s,]+/).filter((id) => id !== ''),
        reason: textOf(options['reason']),
      })
      const json = { asset_id: args['id'], new_assets: assets.map(({ id, name }) => ({ id, name })) }
      return { json, text: assets.map(({ id, name }) => `Now ${name} (${id}).`).join('\n') }
    },
  },
]

/** The verb refuses names that are no attribute. */
const attributeIn = (args: Readonly<Record<string, string>>): AttributeName =>
  args['attribute'] as AttributeName

const given = (option: string | true | undefined): string | undefined =>
  typeof option === 'string' ? option : undefined

function limitIn(options: Readonly<Record<string, string | true | undefined>>): number {
  const limit = options['limit'] === undefined ? SHOWN_DEFAULT : Number(options['limit'])
  if (!Number.isInteger(limit) || limit < 1 || limit > SHOWN_MAX)
    throw invalid('limit', `must be a whole number from 1 to ${SHOWN_MAX}`)
  return limit
}

const textOf = (option: string | true | undefined): string => (typeof option === 'string' ? option : 'manual')

function asText(explanation: Explanation): string {
  const { asset, observations, links, constraints, ignored, attributes, recognition } = explanation

  const nameOf = new Map(observations.map((each) => [each.id, `${each.source} ${each.sourceKey}`]))
  const name = (id: string) => nameOf.get(id) ?? id
  return [
    `${asset.name}  ${asset.assetType}  ${asset.id}`,
    '',
    `Seen by ${observations.length}:`,
    ...observations.flatMap((each) => [
      `  ${each.id}  ${name(each.id)}  ${each.firstSeen} to ${each.lastSeen}`,
      ...each.identifiers.map(({ type, value }) => `      ${type} ${value}`),
    ]),
    ...section('One because:', links, (link) => {
      const why = link.reasons.map(({ type, value, weight }) => `${type} ${value} (${weight})`).join(', ')
      return `${link.score.toFixed(3)}  ${name(link.a)} and ${name(link.b)}: ${link.because}${why && `, ${why}`}`
    }),
    ...section('People said:', constraints, ({ kind, a, b, actor, reason: why, at }) => {
      const relation = kind === 'must_link' ? 'is the same as' : 'is not'
      return `${at}  ${actor}: ${name(a)} ${relation} ${name(b)}${why && ` (${why})`}`
    }),
    ...section('No evidence, because others have it too:', ignored, ({ type, value, why }) => {
      return `${type} ${value}: ${why.because}`
    }),
    ...section('Recognised by:', recognition.matches, (match) => {
      const { deviceType, vendor, model, confidence, source } = match
      return `${source}: ${[deviceType, vendor, model].filter(Boolean).join(' ')} (${confidence})`
    }),
    ...section('Shown as:', attributes, ({ attribute, offers: [winner, ...losers] }) => {
      const beaten = losers.map(({ value, source }) => `${value} (${source})`).join(', ')
      const by = winner?.setBy ? `set by ${winner.setBy}` : (winner?.source ?? '')
      return `${attribute}: ${winner?.value ?? ''} (${by})${beaten && `, not ${beaten}`}`
    }),
  ].join('\n')
}

function section<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  return items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${line(item)}`)]
}
