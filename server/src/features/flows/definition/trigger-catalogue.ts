import type { Field } from '#platform/conditions/field.ts'
import { permit, type Ctx } from '#platform/context.ts'
import type { TriggerKind } from '../flow.ts'
import { triggerFields } from './flow-vocabulary.ts'
import { readTrigger } from './read-trigger.ts'

/** A kind of trigger, as an editor offers it. */
export interface TriggerInfo {
  readonly kind: TriggerKind
  readonly label: string
  readonly sentence: string
  readonly settings: readonly string[]
}

export const triggerCatalogue: readonly TriggerInfo[] = [
  {
    kind: 'event',
    label: 'When something happens',
    sentence: 'For each event of the chosen types.',
    settings: ['eventTypes'],
  },
  {
    kind: 'query',
    label: 'When assets match',
    sentence: 'When a condition becomes true of assets, or is true no longer.',
    settings: ['condition', 'on', 'per'],
  },
  {
    kind: 'schedule',
    label: 'At set times',
    sentence: 'At the times of five cron fields in a time zone.',
    settings: ['cron', 'zone'],
  },
  {
    kind: 'webhook',
    label: 'When another system asks',
    sentence: 'For each request to an address of its own.',
    settings: ['signature', 'fields'],
  },
  {
    kind: 'manual',
    label: 'By hand',
    sentence: 'When somebody starts it, for chosen assets or none.',
    settings: ['fields'],
  },
]

/** What conditions and texts can read after the trigger. Throws `invalid`, which names the place. */
export async function triggerFieldsOf(ctx: Ctx, trigger: unknown): Promise<Field[]> {
  permit(ctx, 'flows:read')
  return triggerFields(await readTrigger(ctx, trigger))
}
