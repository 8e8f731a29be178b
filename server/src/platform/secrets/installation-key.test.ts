import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { adoptKey, found, keyState, showWelcome } from './installation-key.ts'
import { openSeal } from './seal.ts'

async function system() {
  const { runtime } = await testApp()
  await adoptKey(runtime.system)
  return runtime.system
}

test('an installation is founded once, even by two at the same time', async () => {
  const ctx = await system()
  let created = 0
  const create = async () => `admin ${(created += 1)}`
  const outcomes = await Promise.all([found(ctx, create), found(ctx, create)])
  expect(outcomes.toSorted()).toEqual([false, true])
  expect(created).toBe(1)
})

test('a failed initialization stores nothing', async () => {
  const ctx = await system()
  await expect(found(ctx, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await found(ctx, async () => 'admin')).toBe(true)
})

test('the first credentials are printed until printing has succeeded, then never again', async () => {
  const ctx = await system()
  await found(ctx, async () => 'admin')
  await expect(showWelcome(ctx, () => Promise.reject(new Error('nobody listens')))).rejects.toThrow(
    'nobody listens',
  )
  const shown: string[] = []
  const show = async (welcome: string) => void shown.push(welcome)
  await showWelcome(ctx, show)
  await showWelcome(ctx, show)
  expect(shown).toEqual(['admin'])
})

test('the first key is the installation’s; another one is noticed', async () => {
  const { runtime } = await testApp()
  const ctx = runtime.system
  const stranger = { ...ctx, seal: openSeal(randomBytes(32).toString('hex')) }
  expect(await keyState(ctx)).toBe('new')
  expect(await Promise.all([adoptKey(ctx), adoptKey(ctx)])).toEqual([true, true])
  expect(await keyState(ctx)).toBe('same')
  expect(await adoptKey(stranger)).toBe(false)
  expect(await keyState(stranger)).toBe('another')
})
