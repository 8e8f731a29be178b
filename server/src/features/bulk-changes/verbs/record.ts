import { changeRecords, checkedChange, restoreRecords } from '#features/records/records.ts'
import type { AssetRecord, RecordField } from '#features/records/values/asset-record.ts'
import { invalid } from '#platform/errors.ts'
import type { BulkVerb } from './verb.ts'

/** Owner, place, state, purchase and the rest of the record; sends no events. */
export const setRecord: BulkVerb = {
  name: 'set_record',
  subject: 'asset',
  permission: 'assets:write',
  check(_, { record = {} }) {
    const checked = checkedChange(record)
    if (Object.keys(checked).length === 0) throw invalid('record', 'must name at least one field')
    return Promise.resolve({ record: checked })
  },
  apply: (ctx, { record = {} }, assetIds) => changeRecords(ctx, assetIds, record),
  restore: (ctx, { record = {} }, previous) =>
    restoreRecords(ctx, [...previous.values()] as AssetRecord[], Object.keys(record) as RecordField[]),
}
