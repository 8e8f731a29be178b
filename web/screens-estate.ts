import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { askGraphql } from './e2e/graphql.ts'
import { doubtfulLists } from './e2e/lists.ts'

// What pictures need beside the estate of `rollcall demo`: something that people made, and something to decide.

const KEYS = [
  ['Nightly export', ['read'], 90],
  ['Ticket system', ['read', 'write'], 365],
  ['Recognition bench', ['recognition_read'], 5],
] as const
const TARGETS = [
  // it is swept for the pictures, so it is of this machine alone
  ['Head office', '127.0.0.1/32'],
  ['Plant, line 2', '10.40.8.0/25'],
  ['Branch offices', '10.64.0.0/17'],
] as const
const PEOPLE = ['ada@example.org', 'grace@example.org', 'linus@example.org']

/** Makes it once; a second run finds it there. The receiver of the webhooks listens until `close`. */
export async function prepareEstate(page: Page): Promise<{ close: () => void }> {
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(request.url === '/chat' ? 503 : 204).end())
  })
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  const close = () => void receiver.close()
  const { data } = await askGraphql<{ apiKeys: { name: string }[] }>(page, '{ apiKeys { name } }')
  if (data?.apiKeys.some(({ name }) => name === KEYS[0][0])) return { close }
  await makeWebhooks(page, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`)
  await makeThings(page)
  await sweep(page, 'Head office')
  await bringLists(page)
  return { close }
}

async function makeWebhooks(page: Page, receiver: string): Promise<void> {
  const create = `mutation ($name: String!, $url: String!, $events: [EventType!]!) {
    createWebhook(name: $name, url: $url, events: $events) { webhook { id } } }`
  const made = [
    ['Ticket system', '/tickets', ['NEW_ASSET', 'SCAN_COMPLETED']],
    ['Team chat', '/chat', ['NEW_ASSET', 'UNLINK']],
    ['Data warehouse', '/warehouse', ['NEW_ASSET', 'DELETED_ASSET', 'EXPORT_COMPLETED']],
  ] as const
  for (const [name, path, events] of made) {
    const { data, errors } = await askGraphql<{ createWebhook: { webhook: { id: string } } }>(page, create, {
      name,
      url: receiver + path,
      events,
    })
    if (errors || !data)
      throw new Error(`${name}: ${JSON.stringify(errors)}; set WEBHOOK_ALLOW_PRIVATE=127.0.0.1`)
    if (path !== '/tickets') continue
    await askGraphql(
      page,
      'mutation ($id: ID!, $since: DateTime!) { replayWebhook(id: $id, since: $since, onlyMissed: false) { id } }',
      { id: data.createWebhook.webhook.id, since: new Date(Date.now() - 3_600_000).toISOString() },
    )
  }
}

async function makeThings(page: Page): Promise<void> {
  for (const [name, scopes, days] of KEYS)
    await askGraphql(
      page,
      'mutation ($name: String!, $scopes: [KeyScope!]!, $days: Int!) { createApiKey(name: $name, scopes: $scopes, expiresInDays: $days) { secret } }',
      { name, scopes, days },
    )
  for (const [name, cidr] of TARGETS)
    await askGraphql(
      page,
      'mutation ($name: String!, $cidr: String!) { createTarget(name: $name, cidr: $cidr) { id } }',
      { name, cidr },
    )
  for (const [name, view] of [
    ['Plant', { type: 'ot_device' }],
    ['Not seen for long', { freshness: 'older', sort: 'lastSeen', direction: 'asc' }],
  ])
    await askGraphql(
      page,
      'mutation ($name: String!, $view: JSON!) { saveView(name: $name, view: $view) { id } }',
      {
        name,
        view,
      },
    )
  for (const [name, kind] of [
    ['Owner', 'text'],
    ['Bought on', 'date'],
  ])
    await askGraphql(
      page,
      'mutation ($name: String!, $kind: CustomFieldKind!) { defineCustomField(name: $name, kind: $kind) { id } }',
      { name, kind },
    )
  const { data } = await askGraphql<{ roles: { id: string; name: string }[] }>(page, '{ roles { id name } }')
  const [admin, ...roles] = data?.roles ?? []
  for (const [at, email] of PEOPLE.entries())
    await askGraphql(
      page,
      'mutation ($email: String!, $roleId: ID!) { inviteUser(email: $email, roleId: $roleId) { id } }',
      {
        email,
        roleId: (roles[at % roles.length] ?? admin)?.id,
      },
    )
}

/** By the screen that people use. */
async function bringLists(page: Page): Promise<void> {
  const { files, forget } = await doubtfulLists(3)
  for (const file of files) {
    await page.goto('/imports')
    await page.locator('input[type="file"]').setInputFiles(file)
    await page
      .getByRole('button', { name: /^Import \d|^Import/ })
      .last()
      .click()
    await page
      .getByText(/taken|imported|new/i)
      .first()
      .waitFor()
  }
  await forget()
}

/** Starts a sweep of the target with the name. */
async function sweep(page: Page, name: string): Promise<void> {
  const { data } = await askGraphql<{ targets: { id: string; name: string }[] }>(
    page,
    '{ targets { id name } }',
  )
  const targetId = data?.targets.find((target) => target.name === name)?.id
  await askGraphql(page, 'mutation ($targetId: ID!) { startScan(targetId: $targetId, type: sweep) { id } }', {
    targetId,
  })
}
