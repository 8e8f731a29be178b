import { createHash } from 'node:crypto'
import { canonicalJson, proofOf, type Proof } from '#features/audit/audit.ts'
import { beyondLimit, permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Report } from '../report.ts'
import * as store from '../store.ts'

/** What was generated of a report, as the audit log names it by its digest. Digests are SHA-256, hexadecimal. */
export interface SnapshotDocument {
  readonly tenant: string
  readonly report: string
  readonly snapshot: string
  readonly name: string
  readonly type: string
  readonly format: string
  /** RFC 3339 */
  readonly taken_at: string
  readonly generated_at: string
  readonly rows: number
  readonly dataset_sha256: string
  readonly file_name: string
  readonly file_sha256: string
}

export type Generated = Omit<SnapshotDocument, 'tenant' | 'report' | 'name' | 'type' | 'format'>

export const snapshotDocument = (
  { tenantId }: Ctx,
  { id, name, type, format }: Pick<Report, 'id' | 'name' | 'type' | 'format'>,
  generated: Generated,
): SnapshotDocument => ({
  tenant: tenantId,
  report: id,
  name: name.toWellFormed(),
  type,
  format,
  ...generated,
})

export const digestOfDocument = (document: SnapshotDocument): string =>
  createHash('sha256').update(canonicalJson(document)).digest('hex')

/**
 * A snapshot as a file that `rollcall verify FILE --file REPORT` checks without the installation. 404 for one without a
 * file, and for those that were generated before their documents were named in the log.
 */
export async function snapshotProof(ctx: Ctx, snapshotId: string): Promise<Proof> {
  permit(ctx, 'reports:read')
  const snapshot = isUuid(snapshotId) ? await store.snapshot(ctx, snapshotId) : undefined
  const report = snapshot && (await store.report(ctx, snapshot.reportId))
  if (!report || snapshot.status !== 'available') throw notFound('snapshot')
  const { takenAt, generatedAt, rowCount, datasetDigest, fileName, fileDigest } = snapshot
  const document = snapshotDocument(ctx, report, {
    snapshot: snapshot.id,
    taken_at: instantOf(takenAt),
    generated_at: instantOf(generatedAt),
    rows: rowCount ?? 0,
    dataset_sha256: datasetDigest ?? '',
    file_name: fileName ?? '',
    file_sha256: fileDigest ?? '',
  })
  const digest = digestOfDocument(document)
  return proofOf(beyondLimit(ctx), 'report', { document, digest, subject: { type: 'report', id: report.id } })
}

const instantOf = (at: string | null): string => new Date(at ?? 0).toISOString()
