import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { doubtfulLists } from './lists.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('views, and pairs decided together', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const { files, forget } = await doubtfulLists(3)
    for (const file of files) await app.rollcall('import', file)
    await forget()
  }, 240_000)
  afterAll(() => app?.close())

  test(
    'a view keeps columns in their order and width, and becomes a tile',
    { timeout: 180_000 },
    async () => {
      const page = await app.enter('/assets')
      const heads = () => page.getByRole('columnheader').allInnerTexts()
      await page.getByRole('link', { name: 'reception-pc' }).waitFor()
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('checkbox', { name: 'Serial' }).click()
      const up = page.getByRole('button', { name: 'Serial up' })
      await up.focus()
      for (let step = 0; step < 7; step += 1) await page.keyboard.press('Enter')
      await expect.poll(async () => (await heads()).slice(1, 4)).toEqual(['Name', 'Serial', 'Type'])
      await page.keyboard.press('Escape')
      const edge = page.getByRole('separator', { name: 'Width of Serial' })
      await edge.focus()
      const before = Number(await edge.getAttribute('aria-valuenow'))
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe(String(before + 2))
      await page.getByRole('columnheader', { name: 'Operating system' }).getByRole('button').click()
      await page.getByRole('columnheader', { name: 'Operating system' }).getByRole('button').click()
      await page.waitForURL(/sort=os/)

      await page.getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('By system')
      await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('link', { name: 'By system' }).waitFor()
      await page.getByRole('link', { name: 'All assets' }).click()
      await page.evaluate('localStorage.clear()')
      await page.reload()
      await expect.poll(async () => (await heads()).slice(1, 4)).toEqual(['Name', 'Type', 'IP address'])
      await page.getByRole('link', { name: 'By system' }).click()
      await expect.poll(async () => (await heads()).slice(1, 4)).toEqual(['Name', 'Serial', 'Type'])
      await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe(String(before + 2))

      await page.goto(`${app.address}/`)
      await page.getByRole('button', { name: 'Arrange' }).click()
      await page.getByRole('checkbox', { name: 'By system' }).click()
      await page.getByRole('dialog').getByText('Saved', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      const tile = page.getByRole('region', { name: 'By system' })
      await tile.getByRole('link', { name: 'reception-pc' }).waitFor()
      await tile.getByRole('link', { name: /in all/ }).click()
      await page.waitForURL(/columns=/)
      await expect.poll(async () => (await heads()).slice(1, 4)).toEqual(['Name', 'Serial', 'Type'])
    },
  )

  test('pairs are decided by keyboard, and several at once with an undo', { timeout: 180_000 }, async () => {
    const page = await app.enter('/duplicates')
    const cards = page.getByRole('article')
    await expect.poll(() => cards.count()).toBe(3)
    await page.keyboard.press('j')
    await page.keyboard.press('n')
    await cards.first().getByText('Kept apart: not the same.').waitFor()
    await cards.first().getByRole('button', { name: 'Undo' }).click()
    await cards.first().getByRole('button', { name: 'Not the same' }).click()
    await cards.first().getByText('Kept apart: not the same.').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('2 pairs selected').waitFor()
    await page.getByRole('region', { name: 'Selected pairs' }).getByRole('button', { name: 'Merge…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge 2 pairs' }).click()
    await page.getByText('Merge: done on 2 pairs').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Undo: Merge: done on 2 pairs').waitFor()
    await page.goto(`${app.address}/assets?search=lobby-display`)
    await page.getByRole('link', { name: 'lobby-display' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'signage-01' }).count()).toBe(0)
  })
})
