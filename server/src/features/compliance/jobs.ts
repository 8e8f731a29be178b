import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { enqueueRounds, recordMonthlyEvidence, signCheckpoints } from './compliance.ts'
import { evaluateAll } from './evaluation/evaluate-checks.ts'
import { evaluateInTurnJob, evaluateJob, leaveToAnother } from './evaluation/evaluation-job.ts'
import { evaluateInTurn } from './evaluation/look-at-part.ts'
import { judgeDue, judgeDueJob } from './evaluation/judge-due.ts'
import { recordEvidence } from './evidence/evidence.ts'
import { recordEvidenceJob } from './evidence/evidence-job.ts'
import { endExpired, endExpiredJob } from './exceptions/exceptions.ts'

export const jobs = [
  worker(evaluateJob, async (ctx, _, signal) => {
    if (!(await leaveToAnother(ctx))) await evaluateAll(ctx, signal)
  }),
  worker(evaluateInTurnJob, async (ctx, _, signal) => void (await evaluateInTurn(ctx, signal))),
  worker(judgeDueJob, (ctx, _, signal) => judgeDue(ctx, signal)),
  worker(recordEvidenceJob, (ctx, payload, signal) => recordEvidence(ctx, payload, signal)),
  worker(endExpiredJob, (ctx, payload) => endExpired(ctx, payload)),
]

export const every: readonly PeriodicJob[] = [
  { name: 'compliance.enqueueRounds', everySeconds: 3_600, run: enqueueRounds },
  { name: 'compliance.recordMonthlyEvidence', everySeconds: 86_400, run: recordMonthlyEvidence },
  { name: 'compliance.signCheckpoints', everySeconds: 86_400, run: signCheckpoints },
]
