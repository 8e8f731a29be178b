import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { parsePage } from '#platform/http/paging.ts'
import { auditExtract, listCheckpoints, searchAudit, verifyAudit } from './audit.ts'
import type { Anchor, AuditEntry, Verification } from './audit-entry.ts'

export const commands: readonly Command[] = [
  {
    path: 'audit list',
    tenant: true,
    options: {
      search: { value: 'TEXT', help: 'only entries that contain it' },
      limit: { value: 'N', help: 'how many, 1 to 1000; 50 unless given' },
      offset: { value: 'N', help: 'how many newer ones to skip' },
    },
    help: 'audit entries of the tenant, newest first',
    async run(ctx, { options }) {
      const { search: text } = options
      const wanted = { ...parsePage(options), ...(typeof text === 'string' ? { text } : {}) }
      const { items } = await searchAudit(ctx, wanted)
      return { json: items, text: items.map(toLine).join('\n') }
    },
  },
  {
    path: 'audit verify',
    tenant: true,
    options: {
      anchor: { value: 'SEQ:HASH', help: 'the last link as noted earlier; the chain must still contain it' },
    },
    help: 'checks that no entry of the audit log was changed, removed or inserted',
    async run(ctx, { options }) {
      const { anchor } = options
      const verification = await verifyAudit(
        ctx,
        typeof anchor === 'string' ? parseAnchor(anchor) : undefined,
      )
      const text = describe(verification)
      return { json: verification, text, ...(verification.faults.length > 0 && { isBad: true }) }
    },
  },
  {
    path: 'audit extract',
    tenant: true,
    options: {
      from: { value: 'INSTANT', required: true, help: 'the first instant, RFC 3339' },
      until: { value: 'INSTANT', required: true, help: 'the instant before which it ends' },
    },
    help: 'entries of the audit log as a file that anybody can check: rollcall verify FILE',
    async run(ctx, { options }) {
      const proof = await auditExtract(ctx, String(options['from']), String(options['until']))
      return { json: proof, text: JSON.stringify(proof) }
    },
  },
  {
    path: 'audit checkpoints',
    tenant: true,
    help: 'signed links of the audit log, one a day, newest first: note one elsewhere',
    async run(ctx) {
      const items = (await listCheckpoints(ctx)).map(({ signature, ...it }) => ({
        ...it,
        signature: signature.toString('base64'),
      }))
      return { json: items, text: items.map((it) => `${it.signedAt}  ${it.seq}:${it.hash}`).join('\n') }
    },
  },
]

function parseAnchor(text: string): Anchor {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (!seq || !hash) throw invalid('anchor', 'must be a number, a colon and 64 hexadecimal characters')
  return { seq: Number(seq), hash }
}

function describe({ entries, head, faults }: Verification): string {
  if (faults.length > 0) return ['The audit log is not as it was written:', ...faults].join('\n')
  if (!head) return 'The audit log is empty.'
  return [
    `${entries} entries, as they were written.`,
    `Last link ${head.seq}:${head.hash}`,
    'Note it elsewhere: audit verify --anchor then finds what even the owner of the database changed before it.',
  ].join('\n')
}

const toLine = ({ at, actor, address, action, subject }: AuditEntry): string =>
  `${at}  ${actor.kind} ${actor.name ?? actor.id}  ${address ?? '-'}  ${action}  ${subject.type} ${subject.id}`
