import { setTimeout as sleep } from 'node:timers/promises'
import { tenantOfAsset } from '#features/assets/assets.ts'
import { stopsText } from '#features/scans/scans.ts'
import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { parsePage } from '#platform/http/paging.ts'
import {
  cancelRun,
  createDiscovery,
  deleteDiscovery,
  getRun,
  listDiscoveries,
  listHosts,
  listRuns,
  scanNow,
  startDiscovery,
  tenantOfDiscovery,
  updateDiscovery,
} from './discoveries.ts'
import { isOver, loginTypes, shareOf, type Discovery, type DiscoveryRun } from './discovery.ts'
import type { Window } from './scheduling/windows.ts'

const byId = (system: Ctx, { args: { id = '' } }: CommandInput) => tenantOfDiscovery(system, id)

const settings = {
  login: { value: 'TYPE', many: true, help: `one of ${loginTypes.join(', ')}; all unless given` },
  'at-once': { value: 'N', help: 'hosts that are logged in to at the same time, 16 unless given' },
  cron: { value: 'CRON', help: 'minute hour day month weekday, such as "0 2 * * 1-5"; "" ends the schedule' },
  zone: { value: 'ZONE', help: 'of schedule and windows, such as Europe/Berlin; UTC unless given' },
  window: {
    value: 'DAYS HH:MM-HH:MM',
    many: true,
    help: 'when it may touch the network, such as "1,2,3 22:00-05:00" (0 is Sunday); may be repeated',
  },
  pause: { flag: true, help: 'the schedule starts nothing' },
  resume: { flag: true, help: 'the schedule goes on' },
} as const
const wait = { wait: { flag: true, help: 'come back when it is over' } } as const

export const commands: readonly Command[] = [
  {
    path: 'discovery create',
    tenant: true,
    options: {
      name: { value: 'NAME', required: true, help: 'what people call it' },
      target: { value: 'ID', required: true, help: 'a scan target; see target list' },
      ...settings,
    },
    help: 'adds a discovery: a sweep of a target and logins to every live host',
    async run(ctx, { options }) {
      const { name, target } = options
      const wanted = { name: String(name), targetId: String(target), ...settingsOf(options) }
      return discoveryResult(await createDiscovery(ctx, wanted))
    },
  },
  {
    path: 'discovery update',
    args: ['id'],
    tenant: true,
    tenantOf: byId,
    options: {
      name: { value: 'NAME', help: 'what people call it' },
      target: { value: 'ID', help: 'a scan target; see target list' },
      ...settings,
    },
    help: 'changes a discovery; what is not given stays',
    async run(ctx, { args, options }) {
      const changes = {
        ...(typeof options['name'] === 'string' && { name: options['name'] }),
        ...(typeof options['target'] === 'string' && { targetId: options['target'] }),
        ...settingsOf(options),
      }
      return discoveryResult(await updateDiscovery(ctx, args['id'] ?? '', changes))
    },
  },
  {
    path: 'discovery list',
    tenant: true,
    help: 'discoveries, by name',
    async run(ctx) {
      const all = await listDiscoveries(ctx)
      return { json: all, text: all.map(discoveryLine).join('\n') }
    },
  },
  {
    path: 'discovery delete',
    args: ['id'],
    tenant: true,
    tenantOf: byId,
    help: 'removes a discovery; its runs and what they found stay',
    async run(ctx, { args }) {
      await deleteDiscovery(ctx, args['id'] ?? '')
      return { json: { id: args['id'] }, text: 'Deleted.' }
    },
  },
  {
    path: 'discovery start',
    args: ['id'],
    tenant: true,
    tenantOf: byId,
    options: wait,
    help: 'starts a run of a discovery; a running server does the work',
    run: async (ctx, { args, options }) =>
      runResult(await ended(ctx, await startDiscovery(ctx, args['id'] ?? ''), options)),
  },
  {
    path: 'discovery runs',
    args: ['id?'],
    tenant: true,
    tenantOf: async (system, { args: { id } }) =>
      id === undefined ? undefined : tenantOfDiscovery(system, id),
    options: {
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'leave out so many' },
    },
    help: 'runs, newest first; of one discovery, if it is given',
    async run(ctx, { args, options }) {
      const { items } = await listRuns(ctx, parsePage(options), { discoveryId: args['id'] })
      return { json: items.map(runJson), text: items.map(runLine).join('\n') }
    },
  },
  {
    path: 'discovery hosts',
    args: ['id'],
    tenant: true,
    tenantOf: byId,
    options: {
      outcome: { value: 'WORD', help: 'logged_in, refused, unanswered or not_asked' },
      change: { value: 'WORD', help: 'new, changed, unchanged or gone' },
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'leave out so many' },
    },
    help: 'what a run found at each address',
    async run(ctx, { args, options }) {
      const { outcome, change } = options
      const query = {
        ...(typeof outcome === 'string' && { outcome }),
        ...(typeof change === 'string' && { change }),
      }
      const { items } = await listHosts(ctx, args['id'] ?? '', query, parsePage(options))
      const line = (it: (typeof items)[number]): string =>
        [it.address, it.outcome ?? 'under way', it.change ?? '', it.name, it.why].filter(Boolean).join('  ')
      return { json: items, text: items.map(line).join('\n') }
    },
  },
  {
    path: 'discovery cancel',
    args: ['id'],
    tenant: true,
    tenantOf: byId,
    help: 'ends a run; what it found stays',
    run: async (ctx, { args }) => runResult(await cancelRun(ctx, args['id'] ?? '')),
  },
  {
    path: 'scan now',
    tenant: true,
    tenantOf: async (system, { options: { asset } }) =>
      typeof asset === 'string' ? tenantOfAsset(system, asset.split('\n')[0] ?? '') : undefined,
    options: {
      asset: { value: 'ID', many: true, help: 'an asset; may be repeated' },
      where: { value: 'CONDITION', help: 'the assets, such as "last_seen < -7d", instead of ids' },
      ...wait,
    },
    help: 'sweeps the addresses of assets and logs in to them, as far as scan targets name them',
    async run(ctx, { options }) {
      const { asset, where } = options
      const { run, leftOut } = await scanNow(ctx, {
        ...(typeof asset === 'string' && { assetIds: asset.split('\n') }),
        ...(typeof where === 'string' && { where }),
      })
      const result = runResult(await ended(ctx, run, options))
      const lines = [result.text, ...leftOut.map(({ why }) => `Left out: ${why}`)]
      return { ...result, json: { run: result.json, left_out: leftOut }, text: lines.join('\n') }
    },
  },
]

const LOOK_MS = 500

async function ended(
  ctx: Ctx,
  started: DiscoveryRun,
  options: CommandInput['options'],
): Promise<DiscoveryRun> {
  const { stderr } = process
  let run = started
  while (options['wait'] && !isOver(run)) {
    await sleep(LOOK_MS)
    run = await getRun(ctx, run.id)
    if (stderr.isTTY) stderr.write(`\r\x1b[K${run.status}: ${Math.floor(shareOf(run) * 100)} %`)
  }
  if (options['wait'] && stderr.isTTY) stderr.write('\r\x1b[K')
  return run
}

function settingsOf(options: CommandInput['options']) {
  const { login, cron, zone, window, pause, resume } = options
  const atOnce = options['at-once']
  if (pause && resume) throw invalid('pause', 'give either --pause or --resume')
  return {
    ...(typeof login === 'string' && { types: login.split('\n') }),
    ...(typeof atOnce === 'string' && { hostsAtOnce: Number(atOnce) }),
    ...(typeof cron === 'string' && { cron }),
    ...(typeof zone === 'string' && { zone }),
    ...(typeof window === 'string' && { windows: window.split('\n').map(windowFrom) }),
    ...((pause || resume) && { isEnabled: resume === true }),
  }
}

function windowFrom(text: string): Window {
  const [, days = '', from = '', to = ''] = /^([0-6](?:,[0-6])*)\s+(\S+)-(\S+)$/.exec(text.trim()) ?? []
  if (days === '') throw invalid('window', `${JSON.stringify(text)} must be like "1,2,3 22:00-05:00"`)
  return { days: days.split(',').map(Number), from, to }
}

const discoveryResult = (it: Discovery): CommandResult => ({ json: it, text: discoveryLine(it) })

const discoveryLine = ({ id, name, targetAddress, cron, zone, nextAt }: Discovery): string =>
  `${id}  ${name}  ${targetAddress}  ${cron === null ? 'no schedule' : `${cron} ${zone}, next ${nextAt ?? 'paused'}`}`

function runResult(run: DiscoveryRun): CommandResult {
  const result = { json: runJson(run), text: runLine(run) }
  return run.status === 'failed' ? { ...result, isBad: true } : result
}

const runJson = (run: DiscoveryRun) => ({ ...run, share: shareOf(run) })

function runLine(run: DiscoveryRun): string {
  const { id, name, status, message, newHosts, changedHosts, goneHosts, slowed, stops } = run
  const changes = newHosts === null ? '' : `; ${newHosts} new, ${changedHosts} changed, ${goneHosts} gone`
  const progress = isOver(run) ? message : `${Math.floor(shareOf(run) * 100)} % ${message}`
  const restraint = [...(slowed === '' ? [] : [slowed]), ...(stops.length === 0 ? [] : [stopsText(stops)])]
  return [`${id}  ${name}  ${status}: ${progress}${changes}`, ...restraint].join('\n    ')
}
