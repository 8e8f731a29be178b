import { readFileSync } from 'node:fs'
import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { asMember } from './cli-member.ts'
import type { Statement } from './statements/statement.ts'
import {
  approveStatement,
  compareStatements,
  draftStatement,
  listStatements,
  pasteRows,
  returnStatement,
  statementProof,
  submitStatement,
} from './statements/statements.ts'

const by = { value: 'EMAIL', required: true, help: 'the member who does it' } as const

export const statementCommands: readonly Command[] = [
  {
    path: 'compliance statement list',
    tenant: true,
    help: 'statements of applicability, the newest of each framework first',
    async run(ctx) {
      const items = await listStatements(ctx)
      return { json: items, text: items.map(line).join('\n') }
    },
  },
  {
    path: 'compliance statement draft',
    args: ['framework'],
    tenant: true,
    help: 'begins the next version, with the rows of the approved one',
    run: async (ctx, { args }) => told(await draftStatement(ctx, args['framework'] ?? '')),
  },
  {
    path: 'compliance statement paste',
    args: ['id', 'file'],
    tenant: true,
    help: 'takes rows from a file as spreadsheets copy them: control, applicable, justification … with tabs between',
    async run(ctx, { args }) {
      const rows = await pasteRows(ctx, args['id'] ?? '', textOf(args['file'] ?? ''))
      return { json: { rows }, text: `${rows} rows changed.` }
    },
  },
  {
    path: 'compliance statement submit',
    args: ['id'],
    options: { by },
    tenant: true,
    help: 'hands a draft to a second person',
    run: async (ctx, { args, options }) =>
      told(await submitStatement(await asMember(ctx, options['by']), args['id'] ?? '')),
  },
  {
    path: 'compliance statement return',
    args: ['id'],
    tenant: true,
    help: 'gives one that is in review back to its authors',
    run: async (ctx, { args }) => told(await returnStatement(ctx, args['id'] ?? '')),
  },
  {
    path: 'compliance statement approve',
    args: ['id'],
    options: { by, role: { value: 'ROLE', required: true, help: 'as what, for example CISO' } },
    tenant: true,
    help: 'approves one that another member submitted; what it excludes is not applicable from then on',
    async run(ctx, { args, options: { by: email, role } }) {
      return told(await approveStatement(await asMember(ctx, email), args['id'] ?? '', String(role)))
    },
  },
  {
    path: 'compliance statement diff',
    args: ['before', 'after'],
    tenant: true,
    help: 'the rows that differ between two statements',
    async run(ctx, { args }) {
      const found = await compareStatements(ctx, args['before'] ?? '', args['after'] ?? '')
      const text = found.map(({ controlId, before, after }) =>
        [controlId, before && `- ${JSON.stringify(before)}`, after && `+ ${JSON.stringify(after)}`]
          .filter((it) => it !== null)
          .join('\n'),
      )
      return { json: found, text: text.join('\n') }
    },
  },
  {
    path: 'compliance statement proof',
    args: ['id'],
    tenant: true,
    help: 'an approved statement as a file that anybody can check: rollcall verify FILE',
    async run(ctx, { args }) {
      const proof = await statementProof(ctx, args['id'] ?? '')
      return { json: proof, text: JSON.stringify(proof) }
    },
  },
]

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw invalid('file', `cannot be read: ${(error as Error).message}`)
  }
}

const line = ({
  id,
  framework,
  version,
  state,
  approvedAt,
  approvedByName,
  approvedRole,
}: Statement): string =>
  `${id}  ${framework} version ${version}: ${state}${approvedAt === null ? '' : ` on ${approvedAt} by ${approvedByName}, ${approvedRole}`}`

const told = (statement: Statement) => ({ json: statement, text: line(statement) })
