import type { ConditionPart } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { scanConditions } from './scan-conditions-store.ts'
import { conditionParts } from './swept-networks-store.ts'

/** What conditions may ask about scans, and about the sweeps of networks that assets are in. */
export const conditions = (ctx: Ctx): readonly ConditionPart[] => [
  ...conditionParts(ctx),
  scanConditions(ctx),
]
