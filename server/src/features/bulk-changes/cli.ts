import { listCustomFields, tenantOfAsset } from '#features/assets/assets.ts'
import type { Command, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { tenantOfFinding } from '#features/vulnerabilities/vulnerabilities.ts'
import { invalid } from '#platform/errors.ts'
import {
  bulkVerbNames,
  type BulkChange,
  type BulkSubjectName,
  type BulkValues,
  type BulkVerbName,
} from './bulk-change.ts'
import {
  cancelBulkChange,
  getBulkChange,
  listBulkChanges,
  startBulkChange,
  undoBulkChange,
} from './bulk-changes.ts'
import { verbs } from './verbs/all.ts'
import { workOnBulkChange } from './work-on-bulk-change.ts'

type Options = Readonly<Record<string, string | true | undefined>>

const LISTED = 50

const verbsOf = (subject: BulkSubjectName): BulkVerbName[] =>
  bulkVerbNames.filter((name) => verbs[name].subject === subject)

export const commands: readonly Command[] = [
  {
    path: 'asset bulk',
    canBeTried: true,
    args: ['verb'],
    tenant: true,
    tenantOf: async (system, { options }) => {
      const [id] = linesOf(options['id'])
      return id === undefined ? undefined : tenantOfAsset(system, id)
    },
    options: {
      where: { value: 'CONDITION', help: 'the assets, such as "last_seen < -90d"' },
      id: { value: 'ID', many: true, help: 'an asset, instead of a condition' },
      tag: { value: 'TAG', many: true, help: 'for add_tags and remove_tags' },
      criticality: { value: 'WORD', help: 'for set_weight: critical, high, normal or low' },
      exposure: { value: 'WORD', help: 'for set_weight: internet, unknown or isolated' },
      field: { value: 'NAME', help: 'for set_field: the custom field' },
      value: { value: 'TEXT', help: 'for set_field; empty clears' },
      set: { value: 'FIELD=TEXT', many: true, help: 'for set_record, such as owner=Ada; empty clears' },
      confirm: { value: 'COUNT', help: 'for delete: the number of assets; this is final' },
    },
    help: `changes many assets: ${verbsOf('asset').join(', ')}`,
    async run(ctx, { args, options }) {
      const selection = selectionIn(options)
      const values = await valuesIn(ctx, options)
      const confirm = textOf(options['confirm'])
      const { id } = await startBulkChange(ctx, {
        verb: verbIn('asset', args['verb'] ?? ''),
        ...selection,
        values,
        ...(confirm !== undefined && { confirm: Number(confirm) }),
      })
      return ctx.trial ? told(await getBulkChange(ctx, id)) : finished(ctx, id)
    },
  },
  {
    path: 'findings bulk',
    canBeTried: true,
    args: ['verb'],
    tenant: true,
    tenantOf: async (system, { options }) => {
      const [id] = linesOf(options['id'])
      return id === undefined ? undefined : tenantOfFinding(system, id)
    },
    options: {
      where: { value: 'CONDITION', help: 'the findings, such as "severity = low and kev = no"' },
      id: { value: 'ID', many: true, help: 'a finding, instead of a condition' },
      reason: { value: 'TEXT', help: 'why; needed for all but reopen' },
      until: { value: 'TIME', help: 'when it ends, RFC 3339; absent: when somebody ends it' },
    },
    help: `decides about many findings: ${verbsOf('finding').join(', ')}`,
    async run(ctx, { args, options }) {
      const findingIds = linesOf(options['id'])
      const [where, reason, expiresAt] = [options['where'], options['reason'], options['until']].map(textOf)
      const { id } = await startBulkChange(ctx, {
        verb: verbIn('finding', args['verb'] ?? ''),
        ...(findingIds.length > 0 && { findingIds }),
        where,
        values: { reason, expiresAt },
      })
      return ctx.trial ? told(await getBulkChange(ctx, id)) : finished(ctx, id)
    },
  },
  {
    path: 'bulk list',
    tenant: true,
    help: 'lists bulk changes, newest first',
    async run(ctx) {
      const { items } = await listBulkChanges(ctx, { limit: LISTED, offset: 0 })
      return { json: items, text: items.length > 0 ? items.map(lineOf).join('\n') : 'There are none.' }
    },
  },
  {
    path: 'bulk show',
    args: ['id'],
    tenant: true,
    help: 'shows one bulk change',
    run: async (ctx, { args }) => told(await getBulkChange(ctx, args['id'] ?? '')),
  },
  {
    path: 'bulk cancel',
    args: ['id'],
    tenant: true,
    help: 'ends a bulk change; what it changed stays',
    run: async (ctx, { args }) => told(await cancelBulkChange(ctx, args['id'] ?? '')),
  },
  {
    path: 'bulk undo',
    args: ['id'],
    tenant: true,
    help: 'gives back what was before a bulk change',
    run: async (ctx, { args }) => finished(ctx, (await undoBulkChange(ctx, args['id'] ?? '')).id),
  },
]

/** Works beside the server, or without one. */
async function finished(ctx: Ctx, changeId: string): Promise<CommandResult> {
  await workOnBulkChange(ctx, { changeId })
  return told(await getBulkChange(ctx, changeId))
}

function told(change: BulkChange): CommandResult {
  return { json: change, text: lineOf(change), ...(change.status === 'failed' && { isBad: true as const }) }
}

const lineOf = ({ id, verb, undoOf, status, total, done, changed, message }: BulkChange): string =>
  `${id}  ${undoOf === null ? '' : 'undoing '}${verb}  ${status}  ${done} of ${total}, ${changed} changed` +
  (message && `  ${message}`)

function verbIn(subject: BulkSubjectName, text: string): BulkVerbName {
  const known = verbsOf(subject)
  const verb = known.find((it) => it === text)
  if (!verb) throw invalid('verb', `must be one of ${known.join(', ')}`)
  return verb
}

const textOf = (option: string | true | undefined): string | undefined =>
  typeof option === 'string' ? option : undefined

const linesOf = (option: string | true | undefined): string[] => textOf(option)?.split('\n') ?? []

function selectionIn(options: Options) {
  const assetIds = linesOf(options['id'])
  const where = textOf(options['where'])
  return { ...(assetIds.length > 0 && { assetIds }), ...(where !== undefined && { where }) }
}

async function valuesIn(ctx: Ctx, options: Options): Promise<BulkValues> {
  const tags = linesOf(options['tag'])
  const record = Object.fromEntries(linesOf(options['set']).map(pairIn))
  const field = textOf(options['field'])
  return {
    ...(tags.length > 0 && { tags }),
    ...(options['criticality'] && { criticality: options['criticality'] as BulkValues['criticality'] }),
    ...(options['exposure'] && { exposure: options['exposure'] as BulkValues['exposure'] }),
    ...(field !== undefined && (await fieldValue(ctx, field, textOf(options['value']) ?? ''))),
    ...(Object.keys(record).length > 0 && { record }),
  }
}

function pairIn(text: string): [string, string] {
  const [field = '', ...value] = text.split('=')
  if (value.length === 0) throw invalid('set', `${text}: must be like owner=Ada`)
  return [field, value.join('=')]
}

async function fieldValue(ctx: Ctx, name: string, text: string): Promise<BulkValues> {
  const field = (await listCustomFields(ctx)).find((it) => it.name === name)
  if (!field) throw invalid('field', `there is no custom field ${name}`)
  if (text === '') return { fieldId: field.id, value: null }
  if (field.kind === 'number') return { fieldId: field.id, value: Number(text) }
  if (field.kind === 'boolean') return { fieldId: field.id, value: text === 'true' || text === 'yes' }
  return { fieldId: field.id, value: text }
}
