import type { Stop } from '#features/scans/probes/governor/governor.ts'
import type { Schema, TypeOf } from '#platform/graphql/schema.ts'
import {
  hostChanges,
  hostOutcomes,
  loginTypes,
  runCauses,
  runStatuses,
  shareOf,
  type Discovery,
  type DiscoveryHost,
  type DiscoveryRun,
  type Login,
} from '../discovery.ts'
import type { Window } from '../scheduling/windows.ts'

export const enumsOf = (schema: Schema) => ({
  login: schema.enumType('LoginType', { values: loginTypes }),
  status: schema.enumType('DiscoveryRunStatus', { values: runStatuses }),
  cause: schema.enumType('DiscoveryRunCause', { values: runCauses }),
  outcome: schema.enumType('DiscoveryHostOutcome', { values: hostOutcomes }),
  change: schema.enumType('DiscoveryHostChange', { values: hostChanges }),
})

type Enums = ReturnType<typeof enumsOf>

/** A network stops at its third device; what is more than these says no more. */
const STOPS_SHOWN = 100

/** What a short list costs beside its owner. */
const FEW = { field: 1, multiplier: 1 }

export function discoveryType(schema: Schema, { login }: Enums): TypeOf<Discovery> {
  const window = schema.objectRef<Window>('DiscoveryWindow').implement({
    fields: (t) => ({
      days: t.exposeIntList('days', { description: '0 Sunday to 6 Saturday: the days on which it begins.' }),
      from: t.exposeString('from', { description: 'HH:MM' }),
      to: t.exposeString('to', { description: 'HH:MM; before `from`: on the day after.' }),
    }),
  })
  return schema.objectRef<Discovery>('Discovery').implement({
    description: 'Sweeps a target and logs in to every live host with what the vault may show there.',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      targetId: t.exposeID('targetId'),
      targetName: t.exposeString('targetName'),
      targetAddress: t.exposeString('targetAddress'),
      types: t.expose('types', { type: [login] }),
      hostsAtOnce: t.exposeInt('hostsAtOnce'),
      cron: t.exposeString('cron', { nullable: true }),
      zone: t.exposeString('zone'),
      windows: t.field({ type: [window], complexity: FEW, resolve: (it) => it.windows }),
      isEnabled: t.exposeBoolean('isEnabled', { description: 'Of the schedule.' }),
      nextAt: t.expose('nextAt', { type: 'DateTime', nullable: true }),
      skipped: t.exposeString('skipped', {
        description: 'Why the last time that was due did not become a run; empty when it did.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  })
}

export function runType(schema: Schema, { login, status, cause }: Enums): TypeOf<DiscoveryRun> {
  const stop = stopType(schema)
  return schema.objectRef<DiscoveryRun>('DiscoveryRun').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      discoveryId: t.exposeID('discoveryId', {
        nullable: true,
        description: 'Null: of scanNow, or the discovery is gone.',
      }),
      name: t.exposeString('name'),
      cause: t.expose('cause', { type: cause }),
      status: t.expose('status', { type: status }),
      message: t.exposeString('message'),
      share: t.float({ description: 'How far it is, 0 to 1; it never falls.', resolve: shareOf }),
      entries: t.exposeStringList('entries', { description: 'What it looks at.' }),
      exclusions: t.exposeStringList('exclusions'),
      types: t.expose('types', { type: [login] }),
      sweepScanId: t.exposeID('sweepScanId', { nullable: true }),
      addressesTotal: t.exposeInt('addressesTotal'),
      addressesDone: t.exposeInt('addressesDone', { description: 'Swept, alive or not.' }),
      unreachable: t.exposeStringList('unreachable', {
        description: 'Networks without a route from the machine that swept; nothing is known of them.',
      }),
      stops: t.field({
        type: [stop],
        complexity: FEW,
        description: 'Where the run asks no more, because it did harm; the first 100.',
        resolve: (it) => it.stops.slice(0, STOPS_SHOWN),
      }),
      slowed: t.exposeString('slowed', {
        description: 'At what pace it goes or went, and why; empty when it was never slowed.',
      }),
      hostsFound: t.exposeInt('hostsFound'),
      hostsDone: t.exposeInt('hostsDone'),
      loggedIn: t.exposeInt('loggedIn'),
      refused: t.exposeInt('refused'),
      unanswered: t.exposeInt('unanswered'),
      notAsked: t.exposeInt('notAsked'),
      comparedRunId: t.exposeID('comparedRunId', { nullable: true }),
      newHosts: t.exposeInt('newHosts', { nullable: true, description: 'Null: nothing to compare with.' }),
      changedHosts: t.exposeInt('changedHosts', { nullable: true }),
      goneHosts: t.exposeInt('goneHosts', { nullable: true }),
      waitsUntil: t.expose('waitsUntil', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    }),
  })
}

function stopType(schema: Schema): TypeOf<Stop> {
  return schema.objectRef<Stop>('DiscoveryStop').implement({
    fields: (t) => ({
      at: t.exposeString('at', { description: 'An address, a network, or `all`.' }),
      reason: t.exposeString('reason'),
      isHarm: t.exposeBoolean('isHarm', {
        description: 'False: it is gone, and nothing says that asking did it.',
      }),
    }),
  })
}

type ListedHost = DiscoveryHost & { readonly assetName: string | null }

export function hostType(schema: Schema, { login, outcome, change }: Enums): TypeOf<ListedHost> {
  const entry = schema.objectRef<Login>('DiscoveryLogin').implement({
    fields: (t) => ({
      type: t.expose('type', { type: login }),
      scanId: t.id({ nullable: true, resolve: (it) => it.scanId ?? null }),
      outcome: t.field({
        type: outcome,
        nullable: true,
        description: 'Null while it is under way.',
        resolve: (it) => it.outcome ?? null,
      }),
      message: t.exposeString('message', { description: 'Why not, or what the scan said.' }),
    }),
  })
  return schema.objectRef<ListedHost>('DiscoveryHost').implement({
    fields: (t) => ({
      address: t.exposeString('address'),
      name: t.exposeString('name'),
      isDone: t.boolean({ resolve: ({ state }) => state === 'done' }),
      outcome: t.expose('outcome', { type: outcome, nullable: true }),
      why: t.exposeString('why', { description: 'Why nobody was let in; empty otherwise.' }),
      logins: t.field({ type: [entry], complexity: FEW, resolve: (it) => it.logins }),
      assetId: t.exposeID('assetId', { nullable: true }),
      assetName: t.exposeString('assetName', { nullable: true }),
      change: t.expose('change', {
        type: change,
        nullable: true,
        description: 'Against the run before; null when there is none.',
      }),
      changedFields: t.exposeStringList('changedFields'),
      foundAt: t.expose('foundAt', { type: 'DateTime' }),
      doneAt: t.expose('doneAt', { type: 'DateTime', nullable: true }),
    }),
  })
}
