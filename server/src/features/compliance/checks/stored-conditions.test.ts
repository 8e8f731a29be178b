import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createException, endException } from '../exceptions/exceptions.ts'
import { createCheck } from './own-checks.ts'
import { storedConditions } from './stored-conditions-store.ts'

const home = sharedTestApp()
const check = {
  title: 'Serial numbers are known',
  scope: 'tag = judged',
  condition: 'has serial',
  severity: 'low' as const,
  next: '',
  controls: [{ framework: 'nist-csf-2.0', controlId: 'GV.PO-01' }],
  tolerance: '0',
}

test('what checks and exceptions ask is found before something that they ask about goes', async () => {
  const [ctx, other] = [await home().newTenant(), await home().newTenant()]
  await createCheck(other, { ...check, title: 'Of another organisation' })
  const { id } = await createCheck(ctx, check)
  await createCheck(ctx, { ...check, title: 'All of them', scope: '' })
  const expiresAt = new Date(ctx.now().getTime() + 86_400_000).toISOString()
  const exception = { checkId: 'no-telnet', expiresAt }
  await createException(ctx, { ...exception, reason: 'in the lab', where: 'tag = lab' })
  await createException(ctx, { ...exception, reason: 'for a tag', tag: 'old' })
  const ended = await createException(ctx, { ...exception, reason: 'over', where: 'tag = gone' })
  await endException(ctx, ended.id, 'done')
  const found = await storedConditions(ctx)
  expect(found.map(({ kind, name, text }) => `${kind}, ${name}: ${text}`).toSorted()).toEqual([
    'check, All of them: has serial',
    'check, Serial numbers are known: has serial',
    'check, Serial numbers are known: tag = judged',
    'exception, in the lab: tag = lab',
  ])
  expect(found.filter((it) => it.id === id)).toHaveLength(2)
})
