import { createHash } from 'node:crypto'
import { permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import * as chunkStore from '../chunk-store.ts'
import { digestOf } from '../dataset/dataset.ts'
import { RENDERER } from '../formats/format.ts'
import { renderFile } from '../generating/render-file.ts'
import * as store from '../store.ts'

export interface VerifiedSnapshot {
  readonly snapshotId: string
  readonly reportId: string
  readonly fileName: string
  /** SHA-256 of the file, hexadecimal. */
  readonly fileDigest: string
  /** What is not as it was; empty: the file is what its dataset gives. */
  readonly faults: readonly string[]
}

/** Makes the file of a snapshot again from its dataset, and compares it with what is stored. */
export async function verifySnapshot(ctx: Ctx, snapshotId: string): Promise<VerifiedSnapshot> {
  permit(ctx, 'reports:read')
  const snapshot = isUuid(snapshotId) ? await store.snapshot(ctx, snapshotId) : undefined
  const report = snapshot && (await store.report(ctx, snapshot.reportId))
  if (!snapshot || !report || snapshot.fileName === null || snapshot.fileDigest === null)
    throw notFound('snapshot')
  if (snapshot.renderer !== RENDERER)
    throw conflict(`the file was made by version ${snapshot.renderer} of the renderers; this is ${RENDERER}`)
  const chunks: Buffer[] = []
  for await (const chunk of chunksOf(ctx, snapshotId, 'dataset')) chunks.push(chunk)
  const dataset = Buffer.concat(chunks)
  if (dataset.length === 0) throw notFound('dataset of the snapshot')
  const digest = await digestOf(dataset)
  const again = createHash('sha256')
  const order = { format: report.format, dataset, digest, fontsFolder: ctx.fontsFolder }
  for await (const piece of renderFile(order)) again.update(piece)
  const stored = createHash('sha256')
  for await (const chunk of chunksOf(ctx, snapshotId, 'file')) stored.update(chunk)
  const faults = [
    ...(digest === snapshot.datasetDigest ? [] : ['the dataset is not the one that was collected']),
    ...(stored.digest('hex') === snapshot.fileDigest ? [] : ['the stored file is not the one that was made']),
    ...(again.digest('hex') === snapshot.fileDigest ? [] : ['the dataset gives another file']),
  ]
  const { fileName, fileDigest } = snapshot
  return { snapshotId, reportId: report.id, fileName, fileDigest, faults }
}

async function* chunksOf(ctx: Ctx, snapshotId: string, part: chunkStore.Part): AsyncGenerator<Buffer> {
  for (let n = 0; ; n += 1) {
    const content = await chunkStore.chunk(ctx, snapshotId, { part, n })
    if (!content) return
    yield content
  }
}
