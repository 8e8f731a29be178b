import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const STANDARD = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Serious and critical ones of a light page, each with where it is. */
export const faultsOf = (page: Page): Promise<string[]> => violations(page, { runOnly: STANDARD })

/** Those, and what cannot be read when the same page turns dark: nothing but colours differs. */
export async function faultsInBothSchemes(page: Page): Promise<string[]> {
  const light = await faultsOf(page)
  await turn(page, 'dark')
  const dark = await violations(page, { runOnly: { type: 'rule', values: ['color-contrast'] } })
  await turn(page, 'light')
  return [...light, ...dark.map((fault) => `dark, ${fault}`)]
}

async function violations(page: Page, options: object): Promise<string[]> {
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source)
  const found = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** Until colours no longer change. */
async function turn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
  await page.evaluate('Promise.allSettled(document.getAnimations().map((it) => it.finished))')
}
