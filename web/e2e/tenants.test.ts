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
      await page.getByText('There is no such asset').waitFor()
      await expect.poll(() => page.locator('main').innerText()).not.toMatch(/reception|front-desk/)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('reception')
    await page
      .getByRole('dialog')
      .getByText(/Nothing|No /)
      .first()
      .waitFor()
    await expect.poll(() => page.getByRole('option', { name: /reception/ }).count()).toBe(0)
    await page.goto(`${app.address}/audit`)
    await page.getByText('hank@globex.example').first().waitFor()
    await expect.poll(() => page.locator('main').innerText()).not.toMatch(/Secret lab|admin@localhost/)
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
    await page.getByText('There is no such asset').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/t/globex/assets/${known[0]}`)

    await page.getByRole('button', { name: 'Globex' }).click()
    await page.getByRole('link', { name: 'Default' }).click()
    await page.getByText('When last seen').waitFor()
    expect(new URL(page.url()).pathname).toBe('/t/default/')
    await page.goto(`${app.address}/assets/${known[0]}`)
    await page.getByText('What sources say').waitFor()
    await page.goto(`${app.address}/invitation#${link.split('#')[1]}`)
    await page.getByText(/used already or is too old/).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Join' }).count()).toBe(0)
  })

  test('two tabs in two organisations: each shows, reads and writes its own', async () => {
    const here = await app.enter('/t/default/scans')
    const there = await here.context().newPage()
    await there.goto(`${app.address}/t/globex/assets`)
    await there.getByText('No assets yet').waitFor()
    await there.getByRole('button', { name: 'Globex' }).waitFor()

    await here.getByRole('button', { name: 'New target' }).first().click()
    const form = here.getByRole('dialog', { name: 'New target' })
    await form.getByLabel('Name').fill('Reception')
    await form.getByRole('textbox', { name: 'Network' }).fill('10.30.0.0/24')
    await form.getByRole('button', { name: 'Add target' }).click()
    await here.getByText('10.30.0.0/24').first().waitFor()
    await here.getByRole('button', { name: 'Default' }).waitFor()
    await here.getByRole('link', { name: 'Assets' }).first().click()
    await here.getByText('front-desk').first().waitFor()
    expect(new URL(here.url()).pathname).toBe('/t/default/assets')
    const [file] = await Promise.all([
      here.waitForEvent('download'),
      here.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    expect(new URL(file.url()).pathname).toBe('/t/default/files/assets.csv')

    await there.getByRole('link', { name: 'Discovery' }).first().click()
    await there.getByRole('link', { name: 'Scans' }).first().click()
    await there.getByText('No targets yet').waitFor()
    expect(new URL(there.url()).pathname).toBe('/t/globex/scans')
    // who names no organisation goes where they were last
    const third = await here.context().newPage()
    await third.goto(`${app.address}/scans`)
    await third.getByText('No targets yet').waitFor()
    expect(new URL(third.url()).pathname).toBe('/t/globex/scans')
    const again = await app.enter('/scans')
    await again.getByText('No targets yet').waitFor()
    await here.context().close()
  })

  test('an address of an organisation that one is no member of says so, and leads home', async () => {
    for (const slug of ['default', 'no-such']) {
      const page = await app.visit(`/t/${slug}/assets`)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await app.signIn(page, stranger)
      await page.getByText('You do not belong to the organisation at this address').waitFor()
      await page.getByRole('link', { name: 'Go to Globex' }).click()
      await page.getByText('Nothing has been found yet').waitFor()
      expect(new URL(page.url()).pathname).toBe('/t/globex/')
    }
  })
})
