import type { BulkVerbName } from '../bulk-change.ts'
import { archive, revive } from './archive.ts'
import { deletion } from './delete.ts'
import { acceptRisk, markFalsePositive, reopen } from './finding.ts'
import { setField } from './custom-field.ts'
import { setRecord } from './record.ts'
import { addTags, removeTags } from './tags.ts'
import type { BulkVerb } from './verb.ts'
import { setWeight } from './weight.ts'

export const verbs: Readonly<Record<BulkVerbName, BulkVerb>> = {
  add_tags: addTags,
  remove_tags: removeTags,
  set_weight: setWeight,
  set_field: setField,
  set_record: setRecord,
  archive,
  revive,
  delete: deletion,
  accept_risk: acceptRisk,
  mark_false_positive: markFalsePositive,
  reopen,
}
