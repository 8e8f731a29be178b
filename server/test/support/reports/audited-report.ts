import { listAssets } from '#features/assets/assets.ts'
import { evaluateNow } from '#features/compliance/compliance.ts'
import { createDemoData, loadSampleAdvisories } from '#features/demo/demo.ts'
import { readPart } from '#features/reports/chunk-store.ts'
import { openDataset } from '#features/reports/dataset/open-dataset.ts'
import { renderers } from '#features/reports/formats/all.ts'
import type { ReportFormat, ReportType } from '#features/reports/report.ts'
import { generated, latest } from '#features/reports/reports.fixture.ts'
import { enqueueMatching, processMatchingQueue } from '#features/vulnerabilities/vulnerabilities.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import type { TestApp } from '../app/test-app.ts'
import { sectionsOf, type Sections } from './report-xml.ts'

export interface Audited {
  readonly asOf: Date
  readonly sections: Sections
  readonly file: (format: ReportFormat) => Promise<Buffer>
}

/** One snapshot, and the files that are made of it. */
export async function audited(ctx: Ctx, type: ReportType): Promise<Audited> {
  const { report, file: xml } = await generated(ctx, { name: type, type, format: 'xml' })
  const dataset = await readPart(ctx, (await latest(ctx, report.id)).id, 'dataset')
  const text = xml.toString()
  return {
    asOf: new Date(/<asOf>(.*?)<\/asOf>/.exec(text)?.[1] ?? ''),
    sections: sectionsOf(text),
    async file(format) {
      const render = await renderers[format]()
      const parts: Buffer[] = []
      for await (const part of render(await openDataset(dataset, 'a'.repeat(64))))
        parts.push(Buffer.from(part as string))
      return Buffer.concat(parts)
    },
  }
}

const ASSETS = 300

/** A tenant with demo data, of which findings are known and checks are judged. */
export async function demoEstate({ newTenant, runtime }: TestApp): Promise<Ctx> {
  const ctx = await newTenant()
  await loadSampleAdvisories(runtime.system)
  await createDemoData(ctx, { assets: ASSETS, seed: 1 })
  const { items } = await listAssets(ctx, { limit: ASSETS, offset: 0 })
  const ids = items.map(({ id }) => id)
  await atomically(ctx, (inner) => enqueueMatching(inner, ids))
  await processMatchingQueue(ctx)
  await evaluateNow(ctx)
  return ctx
}
