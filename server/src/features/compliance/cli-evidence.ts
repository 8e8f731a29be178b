import type { Command } from '#platform/cli/command.ts'
import { evidenceProof, listEvidence, recordEvidenceOf } from './evidence/evidence.ts'

export const evidenceCommands: readonly Command[] = [
  {
    path: 'compliance evidence list',
    args: ['framework', 'control'],
    tenant: true,
    help: 'what was recorded as evidence of a control, newest first',
    async run(ctx, { args }) {
      const { framework = '', control: controlId = '' } = args
      const items = await listEvidence(ctx, { framework, controlId })
      return {
        json: items,
        text: items.map((it) => `${it.recordedAt}  ${it.id}  sha256 ${it.digest}`).join('\n'),
      }
    },
  },
  {
    path: 'compliance evidence record',
    args: ['framework', 'control'],
    tenant: true,
    help: 'records what the status of a control is judged on now, which also happens at each change of it',
    async run(ctx, { args }) {
      const id = await recordEvidenceOf(ctx, args['framework'] ?? '', args['control'] ?? '')
      return { json: { id }, text: id }
    },
  },
  {
    path: 'compliance evidence file',
    args: ['id'],
    tenant: true,
    help: 'evidence as a file that anybody can check: rollcall verify FILE',
    async run(ctx, { args }) {
      const proof = await evidenceProof(ctx, args['id'] ?? '')
      return { json: proof, text: JSON.stringify(proof) }
    },
  },
]
