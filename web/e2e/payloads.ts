import type { Page } from 'playwright-core'
import type { App } from './app.ts'
import { bringFindings } from './findings.ts'
import { askGraphql } from './graphql.ts'

/** Texts that run as script, lead away, turn what is read around or fill the screen where they are not kept as text. */
export const PAYLOADS: readonly string[] = [
  '<img/src=x/onerror=window.pwned=1>',
  '</script><script>window.pwned=1</script>',
  '"><svg/onload=window.pwned=1>',
  "'onfocus=window.pwned=1/autofocus='",
  'javascript:window.pwned=1//',
  '{{constructor.constructor("window.pwned=1")()}}',
  '\u202Egnp.tset\u202C\u200B\u2066x\u2069',
  'W'.repeat(10_000),
]

/** Puts each payload into everything of an asset that can hold text, by the doors that take them: lists and people. */
export async function poisonAssets(app: App, page: Page): Promise<readonly string[]> {
  const rows = PAYLOADS.map((text, at) => {
    const hostname = /\p{C}/u.test(text) ? `host-${at}` : text.slice(0, 255)
    return [text.slice(0, 1_000), hostname, text.slice(0, 255), text.slice(0, 1_000), text.slice(0, 255)]
  })
  const csv = ['name,hostname,serial,os,tags', ...rows.map((row) => row.map(quoted).join(','))].join('\n')
  await app.rollcall('import', await app.file(`${'x'.repeat(40)}<img src=x>.csv`, csv))
  await app.rollcall('import', await app.file('poison.xml', nmapRun()))
  const { data } = await askGraphql<{ assets: { items: { id: string }[] } }>(
    page,
    '{ assets(first: 50) { items { id } } }',
  )
  const ids = (data?.assets.items ?? []).map(({ id }) => id)
  for (const [at, id] of ids.entries()) await poisonAsset(page, id, PAYLOADS[at % PAYLOADS.length] ?? '')
  return ids
}

/** Whatever else people name. */
export async function poisonHouse(app: App, page: Page): Promise<void> {
  for (const [at, text] of PAYLOADS.entries()) {
    const name = `${text.slice(0, 90)}${at}`
    await must(
      page,
      'mutation ($name: String!, $cidr: String!) { createTarget(name: $name, cidr: $cidr) { id } }',
      {
        name,
        cidr: `10.${at}.0.0/24`,
      },
    )
    await must(page, 'mutation ($name: String!) { createApiKey(name: $name, scopes: [read]) { secret } }', {
      name,
    })
    await must(
      page,
      'mutation ($name: String!) { createRole(name: $name, permissions: ["assets:read"]) { id } }',
      {
        name: name.slice(0, 50),
      },
    )
    await must(
      page,
      'mutation ($name: String!, $view: JSON!) { saveView(name: $name, view: $view) { id } }',
      {
        name: name.slice(0, 50),
        view: { search: text.slice(0, 90) },
      },
    )
    await must(
      page,
      'mutation ($name: String!, $url: String!) { createWebhook(name: $name, url: $url, events: [NEW_ASSET]) { secret } }',
      { name, url: `http://127.0.0.1:9/${encodeURIComponent(text.slice(0, 90))}` },
    )
    await app.invite(`p${at}@example.org`, 'viewer', { name: text.slice(0, 90) })
  }
}

/** What bills of materials, feeds and people who override say. Answers the id of a CVE. */
export async function poisonRisk(app: App, page: Page): Promise<string> {
  const parts = PAYLOADS.map((text, at) => ({
    name: text.slice(0, 200),
    version: text.slice(0, 100),
    cveId: `CVE-2099-2000${at}`,
    description: text,
    references: [text, 'javascript:window.pwned=1//', `https://example.org/${text.slice(0, 200)}`],
  }))
  await bringFindings(app, page, parts)
  const { findings } = await must<{ findings: { items: { assetId: string }[] } }>(
    page,
    '{ findings(first: 1) { items { assetId } } }',
    {},
  )
  await poisonAsset(page, findings.items[0]?.assetId ?? '', PAYLOADS[0] ?? '')
  for (const [at, { cveId }] of parts.entries())
    await must(
      page,
      `mutation ($cveId: String!, $reason: String!, $tag: String) {
        createOverride(kind: severity, severity: high, cveId: $cveId, reason: $reason, tag: $tag) { id } }`,
      {
        cveId,
        reason: PAYLOADS[at]?.slice(0, 1_000),
        tag: at % 2 === 0 ? PAYLOADS[at]?.slice(0, 200) : null,
      },
    )
  return parts[0]?.cveId ?? ''
}

async function poisonAsset(page: Page, id: string, text: string): Promise<void> {
  for (const attribute of ['vendor', 'model', 'name', 'os', 'serial'])
    await must(
      page,
      `mutation ($id: ID!, $attribute: AttributeName!, $value: String!, $reason: String!) {
        setAssetAttribute(assetId: $id, attribute: $attribute, value: $value, reason: $reason) { id } }`,
      { id, attribute, value: text.slice(0, 250), reason: text.slice(0, 200) },
    )
  await must(
    page,
    'mutation ($id: ID!, $tags: [String!]!) { addAssetTags(assetIds: [$id], tags: $tags) { id } }',
    {
      id,
      tags: [text.slice(0, 255)],
    },
  )
  const field = await must<{ defineCustomField: { id: string } }>(
    page,
    'mutation ($name: String!) { defineCustomField(name: $name, kind: text) { id } }',
    { name: `${text.slice(0, 60)}${id}` },
  )
  await must(
    page,
    `mutation ($id: ID!, $fieldId: ID!, $value: JSON!) {
      setCustomField(assetId: $id, fieldId: $fieldId, value: $value) { id } }`,
    { id, fieldId: field.defineCustomField.id, value: text.slice(0, 4_000) },
  )
}

async function must<Data>(page: Page, query: string, variables: object): Promise<Data> {
  const { data, errors } = await askGraphql<Data>(page, query, variables)
  if (errors || !data) throw new Error(`${query}: ${JSON.stringify(errors)}`)
  return data
}

function nmapRun(): string {
  const hosts = PAYLOADS.map(
    (text, at) => `<host endtime="1760000010"><status state="up" reason="${escaped(text)}"/>
      <address addr="10.99.0.${at + 1}" addrtype="ipv4"/>
      <address addr="3C:52:82:00:00:0${at}" addrtype="mac" vendor="${escaped(text)}"/>
      <hostnames><hostname name="${escaped(text.slice(0, 250))}" type="PTR"/></hostnames>
      <ports><port protocol="tcp" portid="80"><state state="open"/>
        <service name="http" product="${escaped(text)}" version="${escaped(text)}" extrainfo="${escaped(text)}"/>
        <script id="http-title" output="${escaped(text)}"/></port></ports>
      <os><osmatch name="${escaped(text)}" accuracy="100"/></os></host>`,
  )
  return `<?xml version="1.0"?><nmaprun scanner="nmap" start="1760000000" version="7.95">${hosts.join('')}</nmaprun>`
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

const escaped = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`)
