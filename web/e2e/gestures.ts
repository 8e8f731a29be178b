import type { Locator, Page } from 'playwright-core'

type Role = Parameters<Page['getByRole']>[0]
type Name = string | RegExp

/** Uses the app as a hand does, by input events alone, and counts: a click, a key and a line of text are one each. */
export class Gestures {
  count = 0
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(name: Name, role: Role = 'button', within: Page | Locator = this.page): Promise<void> {
    await this.clickOn(within.getByRole(role, { name }).first())
  }

  async clickOn(there: Locator, modifiers: 'Shift'[] = []): Promise<void> {
    this.count++
    await there.click({ modifiers })
  }

  /** A key, or several that are held at once. */
  async key(keys: string): Promise<void> {
    this.count++
    await this.page.keyboard.press(keys)
  }

  /** Text where the cursor stands. */
  async text(text: string): Promise<void> {
    this.count++
    await this.page.keyboard.type(text)
  }

  /** Text that is sent with Enter. */
  async line(text: string): Promise<void> {
    await this.text(text)
    await this.page.keyboard.press('Enter')
  }
}
