import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { assign, createCollector, equally, revokeCollector } from '../collectors.ts'
import type { AssignedWork } from './assigned-work.ts'
import { runCollector } from './run-collector.ts'

const home = sharedTestApp()

/** A collector of a new tenant that has enrolled, as its process runs it. */
async function started(carryOut: (work: unknown, assigned: AssignedWork) => Promise<void>) {
  const ctx = await home().newTenant()
  const { collector, secret } = await createCollector(ctx, { name: 'Oslo' })
  const { net, log } = home().runtime.system
  const [stopping, enrolled] = [new AbortController(), Promise.withResolvers<string>()]
  const { signal } = stopping
  const ended = runCollector({
    server: await home().address(),
    secret,
    folder: temporaryFolder(),
    version: '1',
    net,
    log,
    signal,
    carryOut,
    onEnrolled: async (id) => enrolled.resolve(id),
  })
  onTestFinished(async () => {
    stopping.abort()
    await ended.catch(() => undefined)
  })
  expect(await enrolled.promise).toBe(collector.id)
  /** Once it has asked for work. */
  const give = (work: unknown) =>
    vi.waitFor(() => assign(ctx, equally([collector.id]), { subject: randomUUID(), work }, signal), {
      timeout: 20_000,
    })
  return { ctx, collector, ended, give }
}

test('it does the work that it is given, asks and is answered, and stops what is over', async () => {
  const over = Promise.withResolvers<unknown>()
  const { give } = await started(async (work, assigned) => {
    const answer = await assigned.ask({ kind: 'question', work })
    await assigned.say({ kind: 'told', answer })
    await once(assigned.signal, 'abort')
    over.resolve('stopped')
  })
  const assignment = await give({ type: 'sweep' })
  const bodies: unknown[] = []
  for await (const { number, body } of assignment.messages()) {
    bodies.push(body)
    if (bodies.length === 2) break
    await assignment.answer(number, ['yes'], 'a secret for it alone')
  }
  expect(bodies).toEqual([
    { kind: 'question', work: { type: 'sweep' } },
    { kind: 'told', answer: { value: ['yes'], secret: 'a secret for it alone' } },
  ])
  await assignment.close()
  expect(await over.promise).toBe('stopped')
})

test('it ends when it was revoked, and says so', async () => {
  const { ctx, collector, ended } = await started(async () => undefined)
  await revokeCollector(ctx, collector.id)
  await expect(ended).rejects.toMatchObject({ code: 'revoked' })
})
