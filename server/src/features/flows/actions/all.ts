import type { Action } from './action.ts'
import { setWeightAction } from './asset-weight.ts'
import { setRecordAction } from './asset-record.ts'
import { setFieldAction } from './custom-field.ts'
import { httpRequestAction } from './http-request.ts'
import { runReportAction } from './run-report.ts'
import { startScanAction } from './start-scan.ts'
import { addTagsAction, removeTagsAction } from './tags.ts'

/** Every action that a step may name. */
export const actions: ReadonlyMap<string, Action> = new Map(
  [
    addTagsAction,
    removeTagsAction,
    setFieldAction,
    setRecordAction,
    setWeightAction,
    startScanAction,
    runReportAction,
    httpRequestAction,
  ].map((action) => [action.name, action]),
)
