import { atomically, beyondLimit, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Report } from '../report.ts'
import * as store from '../store.ts'
import { sendTest } from './recipients.ts'

/** Sends the latest good file to the person who asks, as a schedule would. 409 where there is none yet. */
export async function sendReportToMe(ctx: Ctx, id: string): Promise<Report> {
  permit(ctx, 'reports:read')
  const report = isUuid(id) ? await store.report(ctx, id) : undefined
  if (!report) throw notFound('report')
  const { actor } = ctx
  if (actor.kind !== 'user') throw forbidden('only a person who is signed in has an address to send it to')
  return atomically(beyondLimit(ctx), async (inner) => {
    const latest = await store.latestAvailable(inner, id)
    if (!latest?.fileName || latest.fileBytes === null)
      throw conflict('the report has no file yet; generate it first')
    const file = { snapshotId: latest.id, fileName: latest.fileName, bytes: latest.fileBytes }
    await sendTest(inner, report, file, actor.id)
    return report
  })
}
