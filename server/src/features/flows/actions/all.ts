import type { Action } from './action.ts'
import { archiveAction, reviveAction } from './archive.ts'
import { setAttributeAction } from './asset-attribute.ts'
import { setWeightAction } from './asset-weight.ts'
import { setRecordAction } from './asset-record.ts'
import { createReportAction } from './create-report.ts'
import { setFieldAction } from './custom-field.ts'
import { createExceptionAction } from './exception.ts'
import { httpRequestAction } from './http-request.ts'
import { createOverrideAction } from './override.ts'
import { requestApprovalAction } from './request-approval.ts'
import { runReportAction } from './run-report.ts'
import { sendNoticeAction } from './send-notice.ts'
import { sendWebhookAction } from './send-webhook.ts'
import { startScanAction } from './start-scan.ts'
import { suggestMergeAction } from './suggest-merge.ts'
import { addTagsAction, removeTagsAction } from './tags.ts'

/** Every action that a step may name. */
export const actions: ReadonlyMap<string, Action> = new Map(
  [
    addTagsAction,
    removeTagsAction,
    setFieldAction,
    setRecordAction,
    setWeightAction,
    setAttributeAction,
    archiveAction,
    reviveAction,
    suggestMergeAction,
    createOverrideAction,
    createExceptionAction,
    startScanAction,
    createReportAction,
    runReportAction,
    requestApprovalAction,
    sendNoticeAction,
    sendWebhookAction,
    httpRequestAction,
  ].map((action) => [action.name, action]),
)
