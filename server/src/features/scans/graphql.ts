import { invalid } from '#platform/errors.ts'
import {
  given,
  listArgs,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type EnumOf,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import { addHosts } from './graphql/scan-hosts.ts'
import { probes } from './probes/all.ts'
import type { Progress, RawAnswer } from './probes/probe.ts'
import { listResults } from './results/results.ts'
import type { ScanResult } from './results/scan-result.ts'
import { cancelScan, createScan, getScan, listScans, queryScans } from './scans.ts'
import type { Scan } from './scan.ts'
import { scanStatuses, scanTypes, type ScanStatus, type ScanType } from './scan-status.ts'
import { addTargets } from './graphql/targets.ts'
import { addTouches } from './graphql/touches.ts'
import { targetKinds } from './targets/target.ts'

interface ScanTypes {
  readonly scan: TypeOf<Scan>
  readonly type: EnumOf<ScanType>
  readonly status: EnumOf<ScanStatus>
}

export function graphql(schema: Schema): void {
  const kind = schema.enumType('TargetKind', { values: targetKinds })
  const type = schema.enumType('ScanType', { values: scanTypes })
  const status = schema.enumType('ScanStatus', { values: scanStatuses })
  const progress = addProgress(schema)
  const scan = schema.objectRef<Scan>('Scan').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      type: t.expose('type', { type }),
      status: t.expose('status', { type: status }),
      message: t.exposeString('message', { description: 'How far it is, what it found, or why it failed.' }),
      targetKind: t.expose('targetKind', { type: kind }),
      targetAddress: t.exposeString('targetAddress'),
      assetCount: t.exposeInt('assetCount', { description: 'Hosts that were accepted into the inventory.' }),
      progress: t.expose('progress', { type: progress, nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    }),
  })
  addTargets(schema, kind)
  addScans(schema, { scan, type, status })
  addResults(schema)
  addHosts(schema)
  addTouches(schema, type)
}

function addResults(schema: Schema): void {
  const raw = schema.objectRef<RawAnswer>('RawAnswer').implement({
    fields: (t) => ({
      part: t.exposeString('part', { description: 'The query or command that produced the text.' }),
      text: t.exposeString('text'),
    }),
  })
  const result = schema.objectRef<ScanResult>('ScanResult').implement({
    description: 'What a scan found on one host or machine; known secrets are redacted.',
    fields: (t) => ({
      id: t.exposeID('id'),
      host: t.exposeString('host'),
      name: t.exposeString('name'),
      read: t.field({
        type: 'JSON',
        nullable: true,
        description: 'The observation; null when nothing could be parsed.',
        resolve: ({ read }) => read,
      }),
      isCut: t.exposeBoolean('isCut', { description: 'Truncated; the inventory holds more.' }),
      raw: t.field({
        type: [raw],
        description: 'The raw output of the host, part by part.',
        complexity: { field: 1, multiplier: 1 },
        resolve: (it) => it.raw,
      }),
      seenAt: t.expose('seenAt', { type: 'DateTime' }),
    }),
  })
  const page = pageType(schema, 'ScanResultPage', result)
  schema.queryFields((t) => ({
    scanResults: t.field({
      type: page,
      description: 'In the order in which they were seen; of each scan the first 1,000, for 30 days.',
      args: { scanId: t.arg.id({ required: true }), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { scanId, ...args }, ctx) => listResults(ctx, scanId, pageFrom(args)),
    }),
  }))
}

const addProgress = (schema: Schema): TypeOf<Progress> =>
  schema.objectRef<Progress>('ScanProgress').implement({
    fields: (t) => ({
      done: t.exposeInt('done', { description: 'Addresses that are finished, alive or not.' }),
      total: t.exposeInt('total'),
      found: t.exposeInt('found', { description: 'Live hosts among them.' }),
      ratePerSecond: t.exposeFloat('ratePerSecond'),
      remainingSeconds: t.exposeFloat('remainingSeconds'),
      sampledOnly: t.int({
        description:
          'Networks of 256 addresses of which a sample was asked and the others are not yet; that nothing was found there says nothing.',
        resolve: (it) => it.sampledOnly ?? 0,
      }),
    }),
  })

function addScans(schema: Schema, { scan, type, status }: ScanTypes): void {
  const page = pageType(schema, 'ScanPage', scan)
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.queryFields((t) => ({
    scans: t.field({
      type: page,
      description: 'Newest first, unless sorted. `status` is for lists without a condition.',
      args: {
        status: t.arg({ type: status }),
        ...listArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { status: wanted, first, offset, ...query }, ctx) => {
        const page = pageFrom({ first, offset })
        if (!query.where && !query.sort) return listScans(ctx, page, wanted ?? undefined)
        if (wanted) throw invalid('status', 'is said in the condition: status = failed')
        return queryScans(ctx, page, given(query))
      },
    }),
    scan: t.field({ type: scan, args: id, resolve: (_, args, ctx) => getScan(ctx, args.id) }),
    availableScanTypes: t.field({ type: [type], resolve: () => probes.map((probe) => probe.type) }),
  }))
  schema.mutationFields((t) => ({
    startScan: t.field({
      type: scan,
      args: {
        type: t.arg({ type, required: true, defaultValue: 'sweep' }),
        targetId: t.arg.id({ required: true }),
      },
      resolve: (_, input, ctx) => createScan(ctx, input),
    }),
    cancelScan: t.field({ type: scan, args: id, resolve: (_, args, ctx) => cancelScan(ctx, args.id) }),
  }))
}
