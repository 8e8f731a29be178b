import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { loadFeedFile } from '#features/advisories/advisories.ts'
import { verifyProof } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import { matchCatalogueChanges } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createCheck } from '../checks/own-checks.ts'
import { adoptFramework, evaluateNow } from '../compliance.ts'
import { evidenceProof, recordEvidenceOf } from './evidence.ts'

/** What a verdict rests on stands in its evidence. */

const home = sharedTestApp()
const NIS2 = 'nis2-article-21'
const FREE = '21.2.b'
/** As CISA publishes it. */
const KEV = JSON.stringify({
  catalogVersion: '2026.11.20',
  dateReleased: '2026-11-20T12:00:00.000Z',
  count: 1,
  vulnerabilities: [
    {
      cveID: 'CVE-2026-10001',
      vendorProject: 'Acme',
      product: 'Oven',
      vulnerabilityName: 'Acme Oven command injection',
      dateAdded: '2026-11-19',
      shortDescription: 'Commands can be injected.',
      requiredAction: 'Apply updates.',
      dueDate: '2026-12-10',
      knownRansomwareCampaignUse: 'Unknown',
      notes: '',
    },
  ],
})
let ctx: Ctx
let ids: Readonly<Record<string, string>>
beforeAll(async () => {
  ctx = await home().newTenant()
  await adoptFramework(ctx, NIS2)
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    {
      sourceKey: 'old',
      seenAt: ctx.now(),
      name: 'Old',
      identifiers: [
        { type: 'hostname', value: 'old' },
        { type: 'serial', value: 'BOLT10017' },
      ],
      software: {
        complete: ['dpkg'],
        items: ['telnet', 'other'].map((name) => ({ name, version: '1.2', origin: 'dpkg' as const })),
      },
    },
    {
      sourceKey: 'silent',
      seenAt: ctx.now(),
      name: 'Silent',
      identifiers: [{ type: 'hostname', value: 'silent' }],
    },
  ])
  const rows = await ctx.db.all(sql<{ id: string; hostname: string }>`
    select id, hostname from assets where tenant_id = ${ctx.tenantId}`)
  ids = Object.fromEntries(rows.map(({ id, hostname }) => [hostname, id]))
  await createCheck(ctx, {
    title: 'Telnet is not installed',
    scope: 'archived = no',
    condition: 'no software(name = telnet) and serial : acme',
    severity: 'medium',
    next: '',
    controls: [{ framework: NIS2, controlId: FREE }],
    tolerance: '0',
  })
  await evaluateNow(ctx)
})

interface Document {
  readonly checks: readonly {
    readonly assets: readonly { readonly id: string; readonly facts?: unknown }[]
  }[]
  readonly advisories: unknown
}
const proof = async () => {
  const it = await evidenceProof(ctx, await recordEvidenceOf(ctx, NIS2, FREE))
  return { text: JSON.stringify(it), document: it.document as Document }
}

test('the facts that a check asks about stand beside each asset, and a changed one is not proved', async () => {
  const { text, document } = await proof()
  const facts = new Map(document.checks[0]?.assets.map((it) => [it.id, it.facts]))
  expect(facts.get(ids['old'] ?? '')).toEqual({
    archived: false,
    serial: 'BOLT10017',
    software: { collected: 2, meant: 1, first: [{ name: 'telnet' }] },
  })
  expect(facts.get(ids['silent'] ?? '')).toEqual({ archived: false, serial: null, software: null })
  expect(verifyProof(text).faults).toEqual([])
  expect(verifyProof(text.replace('"serial":"BOLT', '"serial":"ACME')).faults.join()).toContain(
    'names the digest of the document',
  )
})

test('so do the generation of the advisories that findings come from, and how old each feed is', async () => {
  expect((await proof()).document.advisories).toBeNull()
  await loadFeedFile(home().runtime.system, {
    feed: 'kev',
    name: 'known_exploited_vulnerabilities.json',
    content: Readable.from([Buffer.from(KEV)]),
  })
  await matchCatalogueChanges(ctx)
  const { generation } = await ctx.db.one(sql<{ generation: number }>`select generation from catalogue`)
  const { text, document } = await proof()
  expect(document.advisories).toEqual({
    generation,
    matched_at: expect.any(String),
    feeds: expect.arrayContaining([
      {
        name: 'kev',
        records: 1,
        read_at: expect.any(String),
        age_seconds: expect.any(Number),
        sample: false,
      },
    ]),
  })
  expect(verifyProof(text).faults).toEqual([])
  expect(verifyProof(text.replace('"records":1', '"records":2')).faults).not.toEqual([])
})

test('who may not read findings reads no evidence, which may name them', async () => {
  const id = await recordEvidenceOf(ctx, NIS2, FREE)
  const actor = { ...ctx.actor, may: (it: string) => it !== 'vulnerabilities:read' }
  await expect(evidenceProof({ ...ctx, actor }, id)).rejects.toThrow('vulnerabilities:read')
})
