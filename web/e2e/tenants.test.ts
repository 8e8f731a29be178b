import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App, type Person } from './app.ts'
import { askGraphql } from './graphql.ts'
import { doubtfulLists } from './lists.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('two organisations in one installation', () => {
  let app: App
  let stranger: Person
  const known: string[] = []

  beforeAll(async () => {
    app = await openApp()
    const { files, forget } = await doubtfulLists()
    for (const file of files) await app.rollcall('import', file)
    await forget()
    await app.rollcall('target', 'create', '--name', 'Secret lab', '--cidr', '10.20.0.0/24')
    const page = await app.enter('/')
    const { data } = await askGraphql<{ assets: { items: { id: string }[] } }>(
      page,
      '{ assets(first: 10) { items { id } } }',
    )
    known.push(...(data?.assets.items ?? []).map(({ id }) => id))
    await page.context().close()
    await app.rollcall('tenant', 'create', 'globex', '--name', 'Globex')
    stranger = await app.invite('hank@globex.example', 'admin', { tenant: 'globex' })
  }, 120_000)
  afterAll(() => app?.close())

  test('the second sees nothing of the first: in no list, by no search, at no address', async () => {
    expect(known).toHaveLength(2)
    const page = await app.enter('/', { as: stranger })
    await page.getByText('Nothing has been found yet').waitFor()
    await page.goto(`${app.address}/assets`)
    await page.getByText('No assets yet').waitFor()
    await page.goto(`${app.address}/assets?search=reception`)
    await page.getByText('No asset fits these filters').waitFor()
    await page.goto(`${app.address}/duplicates`)
    await page.getByText('Nothing to decide').waitFor()
    await page.goto(`${app.address}/scans`)
    await page.getByText('No targets yet').waitFor()
    for (const id of known) {
      await page.goto(`${app.address}/assets/${id}`)
      await page.getByText('This could not be shown').waitFor()
      expect(await page.locator('main').innerText()).not.toMatch(/reception|front-desk/)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('reception')
    await page
      .getByText(/Nothing|No /)
      .first()
      .waitFor()
    expect(await page.getByRole('option', { name: /reception/ }).count()).toBe(0)
    await page.goto(`${app.address}/audit`)
    await page.getByText('hank@globex.example').first().waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(/Secret lab|admin@localhost/)
  })

  test('what the second names by its id is not there, as if it never was', async () => {
    const page = await app.enter('/', { as: stranger })
    const question = 'query ($id: ID!) { asset(id: $id) { id } }'
    const [theirs, nobodys] = [
      await askGraphql(page, question, { id: known[0] }),
      await askGraphql(page, question, { id: '00000000-0000-4000-8000-000000000000' }),
    ]
    expect(theirs.errors?.[0]?.extensions).toEqual(nobodys.errors?.[0]?.extensions)
    expect(theirs.data ?? null).toEqual(nobodys.data ?? null)
  })

  test('who belongs to both switches between them, and each shows its own', async () => {
    const words = ['user', 'invite', 'admin@localhost', '--role', 'viewer', '--tenant', 'globex']
    const { link } = await app.rollcall<{ link: string }>(...words)
    const page = await app.enter('/')
    await page.goto(`${app.address}/invitation#${link.split('#')[1]}`)
    await page.getByRole('heading', { name: 'Join Globex' }).waitFor()
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByText('Nothing has been found yet').waitFor()
    await page.goto(`${app.address}/assets/${known[0]}`)
    await page.getByText('This could not be shown').waitFor()

    await page.getByRole('button', { name: 'Globex' }).click()
    await page.getByRole('menuitem', { name: 'Default' }).click()
    await page.getByText('When last seen').waitFor()
    await page.goto(`${app.address}/assets/${known[0]}`)
    await page.getByText('Why this is one asset').waitFor()
    await page.goto(`${app.address}/invitation#${link.split('#')[1]}`)
    await page.getByText(/used already or is too old/).waitFor()
    expect(await page.getByRole('button', { name: 'Join' }).count()).toBe(0)
  })
})
