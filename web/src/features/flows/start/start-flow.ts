import { instantOf } from '#lib/dates.ts'
import type { Definition, Step } from '../flow-sentence.ts'

/** Whether a run about no asset would fail: a step acts on the run's asset, or reads it, outside of a loop. */
export function isAboutAsset(
  { steps, condition = '' }: Pick<Definition, 'steps' | 'condition'>,
  needsAsset: ReadonlySet<string>,
): boolean {
  return readsAsset(condition) || steps.some((step) => needsOne(step, needsAsset))
}

function needsOne(step: Step, needsAsset: ReadonlySet<string>): boolean {
  // its items name the assets
  if (step.action === 'for_each') return false
  if (needsAsset.has(step.action) || readsAsset(step.condition ?? '')) return true
  if (JSON.stringify(step.with ?? {}).includes('{{asset.')) return true
  return [...(step.steps ?? []), ...(step.otherwise ?? [])].some((inner) => needsOne(inner, needsAsset))
}

const readsAsset = (condition: string): boolean => /\basset\./.test(condition)

/** What a person typed, as the type of the field; undefined: nothing. The server checks it. */
export function inputValue(type: string, typed: string): unknown {
  const text = typed.trim()
  if (text === '') return undefined
  switch (type) {
    case 'number':
      return Number(text)
    case 'bool':
      return text === 'yes'
    case 'instant':
      return Number.isNaN(momentOf(text)) ? text : new Date(momentOf(text)).toISOString()
    case 'text':
      return typed
    default:
      return text
  }
}

/** The values of all fields that were filled in. */
export function inputValues(
  fields: Readonly<Record<string, string>>,
  typed: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const values = Object.entries(fields).map(([name, type]) => [name, inputValue(type, typed[name] ?? '')])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<string, unknown>
}

/** Of a field of the browser, where clocks of the person show it, or with its own offset. */
const momentOf = (text: string): number =>
  /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : instantOf(text)
