import { expect, test } from 'vitest'
import { verifyProof } from '#features/audit/audit.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { unnoticedChanges } from '#test/support/unnoticed-changes.ts'
import { addDevices, generated, latest } from '../reports.fixture.ts'
import { createReport } from '../reports.ts'
import { snapshotProof } from './snapshot-proof.ts'

const app = sharedTestApp()

test('the proof of a snapshot holds for its file and for no other, without the installation', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'web-1')
  const { report, file } = await generated(ctx, { name: 'Übersicht', type: 'custom' })
  const { id, fileName } = await latest(ctx, report.id)
  const text = JSON.stringify(await snapshotProof(ctx, id))
  const { facts, faults } = verifyProof(text, { file })
  expect(faults).toEqual([])
  expect(facts.join('\n')).toContain(`the file is ${fileName} as it was made`)
  expect(facts.join('\n')).toContain('report.generated at ')
  const changed = Buffer.from(file)
  changed[changed.length - 3] = (changed.at(-3) ?? 0) + 1
  expect(verifyProof(text, { file: changed }).faults).toEqual([`the file is not ${fileName} as it was made`])
  expect(unnoticedChanges(text)).toEqual([])
})

test('what has no file has no proof', async () => {
  const ctx = await app().newTenant()
  const { id } = await createReport(ctx, { name: 'n', type: 'custom' })
  for (const snapshot of [(await latest(ctx, id)).id, id, 'x'])
    await expect(snapshotProof(ctx, snapshot)).rejects.toMatchObject({ status: 404 })
})
