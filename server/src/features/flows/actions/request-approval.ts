import { Type } from 'typebox'
import { REQUEST_APPROVAL } from '../approvals/approval.ts'
import { requestApproval } from '../approvals/approvals.ts'
import type { InnerAction } from './action.ts'

const HOURS_DEFAULT = 72
const HOURS_MAX = 2_160

/**
 * The run goes on at once; `wait_for_approval` waits for the answer. Later steps may send the token: POST
 * /hooks/approvals/TOKEN answers once.
 */
export const requestApprovalAction: InnerAction = {
  name: REQUEST_APPROVAL,
  kind: 'inner',
  label: 'Ask for approval',
  sentence: 'Asks people who may approve; a later step waits for the answer.',
  settings: Type.Object({
    question: Type.String({ title: 'Question', minLength: 1, maxLength: 2_000 }),
    hours: Type.Optional(Type.Integer({ title: 'Hours to answer', minimum: 1, maximum: HOURS_MAX })),
  }),
  templates: ['question'],
  outputs: ['approval_id', 'token', 'decision'],
  async run(ctx, settings, { runId }) {
    const { question, hours = HOURS_DEFAULT } = settings as { question: string; hours?: number }
    return { approval_id: await requestApproval(ctx, { runId, question, hours }) }
  },
}
