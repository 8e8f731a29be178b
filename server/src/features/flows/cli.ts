import type { Command } from '#platform/cli/command.ts'
import {
  archiveFlow,
  createFlow,
  getRun,
  listFlows,
  listRuns,
  listVersions,
  publishFlow,
  setFlowEnabled,
  startFlow,
  testFlow,
  updateFlow,
} from './flows.ts'
import { moreCommands } from './cli/more-commands.ts'
import { readJson } from './cli/read-json.ts'
import type { Flow } from './flow.ts'

const PAGE = { limit: 1_000, offset: 0 }
const RUNS = { limit: 50, offset: 0 }
const ofFlow: Pick<Command, 'args' | 'tenant'> = { args: ['id'], tenant: true }

export const commands: readonly Command[] = [
  {
    path: 'flow list',
    tenant: true,
    help: 'all flows, newest first',
    async run(ctx) {
      const { items } = await listFlows(ctx, PAGE)
      return { json: items, text: items.map(toLine).join('\n') }
    },
  },
  {
    path: 'flow create',
    tenant: true,
    args: ['file'],
    options: { name: { value: 'NAME', required: true, help: 'how it is called' } },
    help: 'makes a flow whose draft is the JSON file',
    async run(ctx, { args, options }) {
      const definition = await readJson(args['file'] ?? '')
      const flow = await createFlow(ctx, { name: String(options['name']), definition })
      return { json: flow, text: `Created ${flow.name} (${flow.id}). Publish and enable it to let it run.` }
    },
  },
  {
    path: 'flow draft',
    tenant: true,
    args: ['id', 'file'],
    help: 'replaces the draft by the JSON file',
    async run(ctx, { args }) {
      const flow = await updateFlow(ctx, args['id'] ?? '', { definition: await readJson(args['file'] ?? '') })
      return { json: flow, text: `Saved a draft of ${flow.name}.` }
    },
  },
  {
    path: 'flow show',
    ...ofFlow,
    help: 'prints the definition of the newest version as JSON',
    async run(ctx, { args }) {
      const [newest] = await listVersions(ctx, args['id'] ?? '')
      return { json: newest, text: JSON.stringify(newest?.definition, undefined, 2) }
    },
  },
  {
    path: 'flow publish',
    ...ofFlow,
    canBeTried: true,
    help: 'makes the draft what runs do; the flow is off until it is enabled',
    run: async (ctx, { args }) => changed('Published', await publishFlow(ctx, args['id'] ?? '')),
  },
  {
    path: 'flow enable',
    ...ofFlow,
    help: 'lets the trigger of a published flow start it',
    run: async (ctx, { args }) => changed('Enabled', await setFlowEnabled(ctx, args['id'] ?? '', true)),
  },
  {
    path: 'flow disable',
    ...ofFlow,
    help: 'starts no further runs; those that run go on',
    run: async (ctx, { args }) => changed('Disabled', await setFlowEnabled(ctx, args['id'] ?? '', false)),
  },
  {
    path: 'flow archive',
    ...ofFlow,
    help: 'switches a flow off and lists it no more',
    async run(ctx, { args }) {
      await archiveFlow(ctx, args['id'] ?? '')
      return { json: { id: args['id'] }, text: 'Archived.' }
    },
  },
  {
    path: 'flow run',
    args: ['id', 'assets...?'],
    tenant: true,
    help: 'starts a published flow by hand, once for each asset',
    async run(ctx, { args }) {
      const assetIds = (args['assets'] ?? '').split(' ').filter((id) => id !== '')
      const count = await startFlow(ctx, args['id'] ?? '', { assetIds })
      return { json: { started: count }, text: `Started ${count} ${count === 1 ? 'run' : 'runs'}.` }
    },
  },
  {
    path: 'flow test',
    args: ['id', 'asset?'],
    tenant: true,
    help: 'shows what the newest version would do for an asset, and undoes it',
    async run(ctx, { args }) {
      const test = await testFlow(ctx, args['id'] ?? '', { assetId: args['asset'] ?? null })
      const lines = test.steps.map(
        (it) => `${it.path}  ${it.action}  ${it.fault ?? JSON.stringify(it.output)}`,
      )
      return { json: test, text: test.matches ? lines.join('\n') : 'The condition does not match.' }
    },
  },
  {
    path: 'flow runs',
    ...ofFlow,
    help: 'the newest 50 runs of a flow',
    async run(ctx, { args }) {
      const { items } = await listRuns(ctx, RUNS, { flowId: args['id'] ?? '' })
      const text = items.map(
        (it) => `${it.id}  ${it.createdAt}  ${it.status}  ${it.cause}  ${it.reason ?? ''}`,
      )
      return { json: items, text: text.join('\n') }
    },
  },
  {
    path: 'flow log',
    ...ofFlow,
    help: 'what each step of a run did',
    async run(ctx, { args }) {
      const run = await getRun(ctx, args['id'] ?? '')
      const lines = run.steps.map(
        (it) => `${it.startedAt}  ${it.path}  ${it.action}  ${it.status}  ${it.fault ?? ''}`,
      )
      return { json: run, text: [`${run.status}  ${run.reason ?? ''}`, ...lines].join('\n') }
    },
  },
  ...moreCommands,
]

const toLine = (flow: Flow): string =>
  `${flow.id}  ${flow.enabled ? 'on ' : 'off'}  ${flow.triggerKind.padEnd(8)}  ${flow.lastTriggeredAt ?? 'never'}  ${flow.name}`

const changed = (verb: string, flow: Flow) => ({ json: flow, text: `${verb} ${flow.name}.` })
