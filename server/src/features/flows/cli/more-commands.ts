import { readFile } from 'node:fs/promises'
import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { decisions, type Decision } from '../approvals/approval.ts'
import { decideApproval, listApprovals } from '../approvals/approvals.ts'
import { getBackTest, startBackTest } from '../back-test/back-tests.ts'
import { runBackTest } from '../back-test/run-back-test.ts'
import { exportFlow, importFlow } from '../export-flow.ts'
import { rerunFrom } from '../flows.ts'
import { rotateHook } from '../hooks/hooks.ts'
import { deleteFlowSecret, listFlowSecrets, setFlowSecret } from '../secrets/flow-secrets.ts'
import { resumeAllFlows, resumeFlows, stopAllFlows, stopFlows } from '../stops/stops.ts'
import { readJson } from './read-json.ts'

const PAGE = { limit: 100, offset: 0 }
const DAYS_DEFAULT = 30
const BACK_TEST_MS = 10 * 60_000

export const moreCommands: readonly Command[] = [
  {
    path: 'flow export',
    args: ['id'],
    tenant: true,
    help: 'prints the newest version as a file, secrets by name alone',
    async run(ctx, { args }) {
      const file = await exportFlow(ctx, args['id'] ?? '')
      return { json: file, text: JSON.stringify(file, undefined, 2) }
    },
  },
  {
    path: 'flow import',
    args: ['file'],
    tenant: true,
    help: 'makes a draft of an exported flow',
    async run(ctx, { args }) {
      const flow = await importFlow(ctx, await readJson(args['file'] ?? ''))
      return { json: flow, text: `Imported ${flow.name} (${flow.id}) as a draft.` }
    },
  },
  {
    path: 'flow backtest',
    args: ['id'],
    tenant: true,
    options: { days: { value: 'N', help: 'how far back, 1 to 30; 30 unless given' } },
    help: 'says what the newest version would have run for; nothing of it happens',
    async run(ctx, { args, options }) {
      const days = Number(options['days'] ?? DAYS_DEFAULT)
      const { id } = await startBackTest(ctx, { flowId: args['id'] ?? '', days })
      await runBackTest(ctx, { id }, AbortSignal.timeout(BACK_TEST_MS))
      const test = await getBackTest(ctx, id)
      const lines = (test.result?.sample ?? []).map((it) => `${it.at}  ${it.assetName || it.assetId || ''}`)
      const text = [test.result?.summary ?? test.message, test.result?.note ?? '', ...lines]
      return { json: test, text: text.filter((it) => it !== '').join('\n') }
    },
  },
  {
    path: 'flow rerun',
    args: ['run', 'step'],
    tenant: true,
    help: 'starts a new run of an ended one from a step on, such as steps[2]',
    async run(ctx, { args }) {
      const runId = await rerunFrom(ctx, args['run'] ?? '', args['step'] ?? '')
      return { json: { run_id: runId }, text: `Started ${runId}.` }
    },
  },
  {
    path: 'flow hook',
    args: ['id'],
    tenant: true,
    help: 'makes a new address that starts the flow, shown this once; the one before is good for nothing',
    async run(ctx, { args, site = '' }) {
      const { path, secret } = await rotateHook(ctx, args['id'] ?? '')
      const url = `${site}${path}`
      const text = secret === null ? url : `${url}\nkey of signatures: ${secret}`
      return { json: { url, secret }, text }
    },
  },
  {
    path: 'flow stop-all',
    args: ['reason'],
    tenant: true,
    options: { installation: { flag: true, help: 'of all tenants' } },
    help: 'stops all flows: what is asked for is skipped, what runs ends before its next step',
    async run(ctx, { args, options, system }) {
      const reason = args['reason'] ?? ''
      await (options['installation'] === true && system
        ? stopAllFlows(system, reason)
        : stopFlows(ctx, reason))
      return { json: { stopped: true }, text: 'Stopped.' }
    },
  },
  {
    path: 'flow resume-all',
    tenant: true,
    options: { installation: { flag: true, help: 'of all tenants' } },
    help: 'lets flows run again',
    async run(ctx, { options, system }) {
      await (options['installation'] === true && system ? resumeAllFlows(system) : resumeFlows(ctx))
      return { json: { stopped: false }, text: 'They run again.' }
    },
  },
  {
    path: 'flow approvals',
    tenant: true,
    help: 'what runs ask of people and can still be answered',
    async run(ctx) {
      const { items } = await listApprovals(ctx, PAGE, { isOpen: true })
      const lines = items.map((it) => `${it.id}  until ${it.expiresAt}  ${it.flowName}  ${it.question}`)
      return { json: items, text: lines.length > 0 ? lines.join('\n') : 'There are none.' }
    },
  },
  {
    path: 'flow decide',
    args: ['approval', 'decision'],
    tenant: true,
    options: { note: { value: 'TEXT', help: 'why' } },
    help: `answers what a run asks: ${decisions.join(' or ')}`,
    async run(ctx, { args, options }) {
      const given = {
        decision: args['decision'] as Decision['decision'],
        note: String(options['note'] ?? ''),
      }
      const approval = await decideApproval(ctx, args['approval'] ?? '', given)
      return { json: approval, text: `It is ${approval.state}.` }
    },
  },
  {
    path: 'flow secrets',
    tenant: true,
    help: 'the names of secrets that steps can use',
    async run(ctx) {
      const secrets = await listFlowSecrets(ctx)
      return { json: secrets, text: secrets.map(({ name, updatedAt }) => `${name}  ${updatedAt}`).join('\n') }
    },
  },
  {
    path: 'flow secret',
    args: ['name', 'file?'],
    tenant: true,
    options: { delete: { flag: true, help: 'removes it' } },
    help: 'sets a secret to the content of a file, without the end of its last line',
    async run(ctx, { args, options }) {
      const name = args['name'] ?? ''
      if (options['delete'] === true) {
        await deleteFlowSecret(ctx, name)
        return { json: { name }, text: `Deleted ${name}.` }
      }
      const value = await readFile(args['file'] ?? '', 'utf8').catch(() => {
        throw invalid('file', 'cannot be read')
      })
      const secret = await setFlowSecret(ctx, name, value.replace(/\r?\n$/, ''))
      return { json: secret, text: `Set ${secret.name}.` }
    },
  },
]
