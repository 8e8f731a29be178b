import { dryRun, type Ctx, type Trial } from '#platform/context.ts'
import { unreachable } from '#platform/errors.ts'
import * as store from './change-store.ts'
import type { NewChange } from './change.ts'

/** What a verb would change, by trying it in a transaction that is undone: one answer for every verb. */
export interface WouldChange {
  /** Assets, findings and controls that would change. */
  readonly total: number
  /** False: only the first ones were tried, because there are too many. */
  readonly isWhole: boolean
  /** How often each kind of change would be written. */
  readonly counts: readonly { readonly kind: string; readonly count: number }[]
  /** The first 50. */
  readonly subjects: readonly ChangedSubject[]
}

export interface ChangedSubject {
  readonly type: SubjectType
  readonly id: string
  readonly name: string
  /** Such as `archived`, `open` or `tag = urgent`. */
  readonly becomesTrue: readonly string[]
  readonly becomesFalse: readonly string[]
}

export type SubjectType =
  | 'asset'
  | 'finding'
  | 'control'
  | 'source'
  | 'flow'
  | 'notice_rule'
  | 'compliance_check'

export const SUBJECTS_MAX = 50

/** Not inside a transaction. Throws what the verb throws. */
export async function wouldChange(ctx: Ctx, work: (ctx: Ctx) => Promise<unknown>): Promise<WouldChange> {
  return (await tried(ctx, work)).changes
}

/** With what the verb answered. */
export function tried<T>(
  ctx: Ctx,
  work: (ctx: Ctx) => Promise<T>,
): Promise<{ readonly result: T; readonly changes: WouldChange }> {
  return dryRun(ctx, async (inner) => {
    const result = await work(inner)
    return { result, changes: await told(inner, inner.trial) }
  })
}

async function told(ctx: Ctx, { noted, isPartial }: Trial): Promise<WouldChange> {
  const effects = noted.flatMap((it) =>
    'becomes' in it ? (it as Effect) : effectsOf(it as NewChange | StatusChange),
  )
  const byKind = Map.groupBy(effects, ({ kind }) => kind)
  const bySubject = [...Map.groupBy(effects, ({ type, id }) => `${type} ${id}`).values()].flatMap(
    (those) => net(those) ?? [],
  )
  const subjects = bySubject.slice(0, SUBJECTS_MAX)
  const unnamed = subjects.flatMap(({ type, id, name }) => (type === 'asset' && name === '' ? [id] : []))
  const names = await store.assetNames(ctx, unnamed)
  return {
    total: bySubject.length,
    isWhole: !isPartial,
    counts: [...byKind].map(([kind, { length }]) => ({ kind, count: length })),
    subjects: subjects.map((it) => ({ ...it, name: it.name || (names.get(it.id) ?? '') })),
  }
}

/** A control of a framework has another status; no kind of the change feed. */
export interface StatusChange {
  readonly kind: 'control_status'
  readonly control: string
  readonly before: string
  readonly after: string
}

/** What a change would do that no kind of the change feed tells, as verbs note it in `ctx.trial`. */
export interface Effect extends Pick<ChangedSubject, 'type' | 'id' | 'name'> {
  readonly kind: string
  readonly becomes: readonly (readonly [statement: string, isTrue: boolean])[]
}

/** Notes effects of a change that is only tried. `isPartial`: there are more. */
export function noteEffects({ trial }: Ctx, effects: readonly Effect[], isPartial = false): void {
  trial?.noted.push(...effects)
  if (trial && isPartial) trial.isPartial = true
}

/** Later effects win; what is true before and after has not become anything. */
function net(effects: readonly Effect[]): ChangedSubject | undefined {
  const [first] = effects
  if (!first) return undefined
  const [begins, ends] = [new Map<string, boolean>(), new Map<string, boolean>()]
  for (const { becomes } of effects)
    for (const [statement, isTrue] of becomes) {
      if (!begins.has(statement)) begins.set(statement, !isTrue)
      ends.set(statement, isTrue)
    }
  const changed = [...ends].filter(([statement, isTrue]) => begins.get(statement) !== isTrue)
  if (changed.length === 0) return undefined
  const named = effects.find(({ name }) => name !== '') ?? first
  return {
    type: first.type,
    id: first.id,
    name: named.name,
    becomesTrue: changed.flatMap(([statement, isTrue]) => (isTrue ? [statement] : [])),
    becomesFalse: changed.flatMap(([statement, isTrue]) => (isTrue ? [] : [statement])),
  }
}

function effectsOf(change: NewChange | StatusChange): Effect[] {
  if (change.kind === 'control_status') {
    const { kind, control, before, after } = change
    const becomes = [[`status = ${before}`, false] as const, [`status = ${after}`, true] as const]
    return [{ kind, type: 'control', id: control, name: control, becomes }]
  }
  const { kind, assetId = '', assetName = '', subject = '', relatedId = '' } = change
  const asset = (...becomes: Effect['becomes']): Effect => ({
    kind,
    type: 'asset',
    id: assetId,
    name: assetName,
    becomes,
  })
  switch (kind) {
    case 'asset_appeared':
      return [asset(['there', true])]
    case 'asset_deleted':
      return [asset(['there', false])]
    case 'asset_archived':
      return [asset(['archived', true])]
    case 'asset_revived':
      return [asset(['archived', false])]
    case 'asset_split':
      return [asset(['there', true], [`split off ${subject}`, true])]
    case 'asset_merged': {
      const gone = { kind, type: 'asset', id: relatedId, name: subject } as const
      const survivor = asset([`has ${subject} merged into it`, true])
      return [survivor, { ...gone, becomes: [['there', false]] }]
    }
    case 'finding_opened':
    case 'finding_closed': {
      const becomes = [['open', kind === 'finding_opened'] as const]
      return [{ kind, type: 'finding', id: relatedId, name: subject, becomes }]
    }
    case 'field_changed':
      return [asset(...valuesOf(change))]
    case 'source_connected':
      return [{ kind, type: 'source', id: relatedId, name: subject, becomes: [['there', true]] }]
    case 'port_opened':
    case 'port_closed':
      return [asset(...portsOf(change))]
    case 'software_installed':
    case 'software_removed':
    case 'software_updated':
      return [asset([`${kind.replaceAll('_', ' ')}: ${subject}`, true])]
    default:
      return unreachable(kind)
  }
}

function portsOf({ before, after }: NewChange): Effect['becomes'] {
  const portsIn = (value: unknown) => (Array.isArray(value) ? value.map(textOf) : [])
  return [
    ...portsIn(before).map((it) => [`port = ${it}`, false] as const),
    ...portsIn(after).map((it) => [`port = ${it}`, true] as const),
  ]
}

function valuesOf({ subject = '', before, after }: NewChange): Effect['becomes'] {
  const [old, now] = [before, after].map((value) =>
    (Array.isArray(value) ? value : [value]).flatMap((it: unknown) =>
      it === undefined || it === null || it === '' ? [] : [textOf(it)],
    ),
  ) as [string[], string[]]
  return [
    ...old.filter((it) => !now.includes(it)).map((it) => [`${subject} = ${it}`, false] as const),
    ...now.filter((it) => !old.includes(it)).map((it) => [`${subject} = ${it}`, true] as const),
  ]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
