import { sql } from 'kysely'
import { createToken } from '#features/agents/agents.ts'
import { sectionHash } from '#features/agents/signed/canonical-json.ts'
import { fingerprintIn } from '#features/agents/signed/fingerprint.ts'
import { madeFrom, observationIn } from '#features/agents/signed/section-observation.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { AGENT_SIGNATURE, type AgentSignature } from './agent-signature.ts'

/** A host whose agent has reported before. */
export interface FleetHost {
  /** Of its private key, in hexadecimal digits. */
  readonly seed: string
  /** What it says when nothing has changed, as JSON. */
  readonly body: string
}

const BATCH = 500
const VERSION = '1.0.0'

/** Makes so many hosts, with the rows that their enrolment and first report would have written. */
export async function seedFleet(ctx: Ctx, count: number): Promise<FleetHost[]> {
  const { newKey } = (await import(AGENT_SIGNATURE)) as AgentSignature
  const { token } = await createToken(ctx, { name: 'bench', uses: count, expiresInDays: 30 })
  const hosts: FleetHost[] = []
  for (let n = 0; n < count; n += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, count - n) }, (_, at) => hostOf(ctx, n + at, newKey()))
    await submit(
      ctx,
      { kind: 'agent', key: 'agent', name: 'Rollcall agent' },
      made.map(({ observation }) => observation),
    )
    await insertAgents(ctx, made, token.id)
    hosts.push(...made.map(({ host }) => host))
  }
  return hosts
}

type Made = ReturnType<typeof hostOf>

function hostOf(ctx: Ctx, n: number, key: ReturnType<AgentSignature['newKey']>) {
  const id = newUuid(ctx.now())
  const serial = `BENCH${String(n).padStart(8, '0')}`
  const sections = {
    os: { hostname: `bench-${n}`, id: 'debian', versionId: '13', prettyName: 'Debian GNU/Linux 13' },
    hardware: { vendor: 'Dell Inc.', model: 'PowerEdge R660', serial },
  }
  const hashes = Object.fromEntries(Object.entries(sections).map(([name, it]) => [name, sectionHash(it)]))
  const fingerprint = { serial: sectionHash({ serial }) }
  const keyId = Buffer.from(key.keyId, 'hex')
  const said = { v: 1, boot_id: id, version: VERSION, fingerprint, sections: hashes, changed: {}, failed: [] }
  return {
    id,
    keyId,
    publicKey: key.publicKey,
    name: sections.os.hostname,
    hashes: JSON.stringify(hashes),
    fingerprint: JSON.stringify(fingerprintIn(fingerprint, ctx.tenantId)),
    observedFrom: madeFrom(keyId),
    host: { seed: key.seed.toString('hex'), body: JSON.stringify(said) },
    observation: observationIn({
      sections,
      keyId: key.keyId,
      sourceKey: id,
      seenAt: ctx.now(),
      tags: [],
      agentVersion: VERSION,
      knownOrigins: [],
    }),
  }
}

async function insertAgents(ctx: Ctx, made: readonly Made[], tokenId: string): Promise<void> {
  await ctx.db.run(sql`
    insert into agents (tenant_id, id, kind, device_id, source_key, token_id, name, version, address, fingerprint,
      section_hashes, observed_from, enrolled_at, first_seen_at, last_contact_at)
    select ${ctx.tenantId}, m.id, 'agent', m.id::text, m.id::text, ${tokenId}, m.name, ${VERSION}, '', m.fingerprint,
      m.hashes, m.observed_from, ${ctx.now()}, ${ctx.now()}, ${ctx.now()}
    from unnest(${made.map((it) => it.id)}::uuid[], ${made.map((it) => it.name)}::text[],
      ${made.map((it) => it.fingerprint)}::jsonb[], ${made.map((it) => it.hashes)}::jsonb[],
      ${made.map((it) => it.observedFrom)}::text[]) as m (id, name, fingerprint, hashes, observed_from)`)
  await ctx.db.run(sql`
    insert into agent_keys (tenant_id, key_id, agent_id, public_key, counter, created_at)
    select ${ctx.tenantId}, m.key_id, m.agent_id, m.public_key, 0, ${ctx.now()}
    from unnest(${made.map((it) => it.keyId)}::bytea[], ${made.map((it) => it.id)}::uuid[],
      ${made.map((it) => it.publicKey)}::bytea[]) as m (key_id, agent_id, public_key)`)
}
