import {
  given,
  listArgs,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import {
  cancelRun,
  createDiscovery,
  deleteDiscovery,
  getDiscovery,
  getRun,
  listDiscoveries,
  listHosts,
  listRuns,
  scanNow,
  scheduleTimes,
  startDiscovery,
  updateDiscovery,
} from './discoveries.ts'
import { hostChanges, hostOutcomes, type Discovery, type DiscoveryRun } from './discovery.ts'
import { hostType, runType, discoveryType, enumsOf } from './graphql/object-types.ts'
import type { Window } from './scheduling/windows.ts'

export function graphql(schema: Schema): void {
  const enums = enumsOf(schema)
  const discovery = discoveryType(schema, enums)
  const run = runType(schema, enums)
  addQueries(schema, { discovery, run, host: hostType(schema, enums) })
  addWriting(schema, discovery, enums.login)
  addRunning(schema, run)
}

interface ObjectTypes {
  readonly discovery: TypeOf<Discovery>
  readonly run: TypeOf<DiscoveryRun>
  readonly host: ReturnType<typeof hostType>
}

function addQueries(schema: Schema, { discovery, run, host }: ObjectTypes): void {
  const runs = pageType(schema, 'DiscoveryRunPage', run)
  const hosts = pageType(schema, 'DiscoveryHostPage', host)
  const outcomes = hostOutcomes.join(', ')
  schema.queryFields((t) => ({
    discoveries: t.field({
      type: [discovery],
      description: 'By name.',
      resolve: (_, __, ctx) => listDiscoveries(ctx),
    }),
    discovery: t.field({
      type: discovery,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => getDiscovery(ctx, id),
    }),
    discoveryRuns: t.field({
      type: runs,
      description: 'Newest first, unless sorted.',
      args: { discoveryId: t.arg.id(), ...listArgs(schema) },
      complexity: perItem,
      resolve: (_, args, ctx) => listRuns(ctx, pageFrom(args), given(args)),
    }),
    discoveryRun: t.field({
      type: run,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => getRun(ctx, id),
    }),
    discoveryHosts: t.field({
      type: hosts,
      description: 'In the order of addresses.',
      args: {
        runId: t.arg.id({ required: true }),
        outcome: t.arg.string({ description: `One of ${outcomes}.` }),
        change: t.arg.string({ description: `One of ${hostChanges.join(', ')}.` }),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { runId, outcome, change, ...args }, ctx) =>
        listHosts(ctx, runId, given({ outcome, change }), pageFrom(args)),
    }),
    discoveryTimes: t.stringList({
      description: 'The next five times of a schedule, RFC 3339.',
      args: { cron: t.arg.string({ required: true }), zone: t.arg.string({ required: true }) },
      resolve: (_, { cron, zone }, ctx) => scheduleTimes(ctx, cron, zone),
    }),
  }))
}

function addWriting(
  schema: Schema,
  type: TypeOf<Discovery>,
  login: ReturnType<typeof enumsOf>['login'],
): void {
  const window = schema.inputRef<Window>('DiscoveryWindowInput').implement({
    description: 'Hours in the zone of the discovery; with `to` before `from` it ends on the day after.',
    fields: (t) => ({
      days: t.intList({ required: true, description: '0 Sunday to 6 Saturday.' }),
      from: t.string({ required: true, description: 'HH:MM' }),
      to: t.string({ required: true, description: 'HH:MM' }),
    }),
  })
  const shared = schema.args((t) => ({
    types: t.field({ type: [login], description: 'Kinds of logins; all unless given.' }),
    hostsAtOnce: t.int({ description: '1 to 64; 16 unless given.' }),
    cron: t.string({ description: 'minute hour day month weekday; none: only when somebody starts it.' }),
    zone: t.string({ description: 'IANA, such as Europe/Berlin; UTC unless given.' }),
    windows: t.field({ type: [window], description: 'When it may touch the network; empty: always.' }),
    isEnabled: t.boolean({ description: 'Of the schedule.' }),
  }))
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.mutationFields((t) => ({
    createDiscovery: t.field({
      type,
      args: { name: t.arg.string({ required: true }), targetId: t.arg.id({ required: true }), ...shared },
      resolve: (_, { name, targetId, ...others }, ctx) =>
        createDiscovery(ctx, { name, targetId, ...given(others) }),
    }),
    updateDiscovery: t.field({
      type,
      description: 'What is not given stays; `cron: ""` ends the schedule.',
      args: { ...id, name: t.arg.string(), targetId: t.arg.id(), ...shared },
      resolve: (_, { id: which, ...changes }, ctx) => updateDiscovery(ctx, which, given(changes)),
    }),
    deleteDiscovery: t.field({
      type: 'ID',
      args: id,
      resolve: (_, args, ctx) => deleteDiscovery(ctx, args.id).then(() => args.id),
    }),
  }))
}

function addRunning(schema: Schema, type: TypeOf<DiscoveryRun>): void {
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  const leftOut = schema.objectRef<{ assetId: string; why: string }>('ScanNowLeftOut').implement({
    fields: (t) => ({ assetId: t.exposeID('assetId'), why: t.exposeString('why') }),
  })
  const result = schema.objectRef<Awaited<ReturnType<typeof scanNow>>>('ScanNowResult').implement({
    fields: (t) => ({
      run: t.expose('run', { type }),
      leftOut: t.field({ type: [leftOut], resolve: (it) => [...it.leftOut] }),
    }),
  })
  schema.mutationFields((t) => ({
    startDiscovery: t.field({ type, args: id, resolve: (_, args, ctx) => startDiscovery(ctx, args.id) }),
    cancelDiscoveryRun: t.field({
      type,
      description: 'What it found stays.',
      args: id,
      resolve: (_, args, ctx) => cancelRun(ctx, args.id),
    }),
    scanNow: t.field({
      type: result,
      description: 'Scans assets at once, as far as scan targets name their addresses; at most 1,000.',
      args: { assetIds: t.arg.idList(), where: t.arg.string() },
      resolve: (_, args, ctx) => scanNow(ctx, given(args)),
    }),
  }))
}
