import { textIn, type Row } from '#platform/conditions/field.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { compareToBound, schemeOf } from '../versions/compare.ts'
import { conditionParts, fieldsOfEntry } from './software-conditions-store.ts'

/** What conditions may ask about the software of assets. */
export const conditions = (ctx: Ctx): readonly ConditionPart[] => conditionParts(ctx, orderVersions)

/** What conditions may ask of an entry of the dictionary. */
export const softwareFields = (ctx: Ctx): readonly PartField[] => fieldsOfEntry(ctx, orderVersions)

/** An epoch counts only where the person wrote one. */
function orderVersions(row: Row, wanted: string): number | undefined {
  const version = textIn(row, 'version')
  const scheme = schemeOf(textIn(row, 'ecosystem'))
  const isWithoutEpoch = scheme === 'dpkg' && !wanted.includes(':')
  return compareToBound(scheme, isWithoutEpoch ? version.replace(/^\d+:/, '') : version, wanted)
}
