import { listFeeds } from '#features/advisories/advisories.ts'
import { listFlows, recentFailures } from '#features/flows/flows.ts'
import { listChannels } from '#features/notices/notices.ts'
import { listScans } from '#features/scans/scans.ts'
import { listEndpoints, listHealth } from '#features/webhooks/webhooks.ts'
import { isWithinLastDay, whole, type OpenItemKind } from './open-item.ts'

const FLOWS_READ = { limit: 500, offset: 0 }

/** What does not work, or has failed within the last day. */
export const failures: readonly OpenItemKind[] = [
  {
    name: 'webhook_failing',
    title: 'Webhooks that fail',
    permission: 'webhooks:read',
    isOfAllAssets: true,
    async find(ctx, limit) {
      const health = new Map((await listHealth(ctx)).map((it) => [it.endpointId, it]))
      const failing = (await listEndpoints(ctx)).filter(({ id, disabledReason }) => {
        const { deadLetters = 0, retrying = 0, delivered = 0 } = health.get(id) ?? {}
        return disabledReason !== null || (deadLetters + retrying > 0 && delivered === 0)
      })
      return whole(
        failing.map(({ id, name, url, disabledReason }) => ({
          key: id,
          subject: `The webhook ${name || new URL(url).host} ${disabledReason === null ? 'fails' : 'was switched off'}`,
          link: '/webhooks',
        })),
        limit,
      )
    },
  },
  {
    name: 'channel_failing',
    title: 'Notice channels that fail',
    permission: 'notices:read',
    isOfAllAssets: true,
    async find(ctx, limit) {
      const failing = (await listChannels(ctx)).filter(
        ({ disabledReason, failingSince }) => disabledReason !== null || failingSince !== null,
      )
      return whole(
        failing.map(({ id, name, disabledReason }) => ({
          key: id,
          subject: `The channel ${name} ${disabledReason === null ? 'fails' : 'was switched off'}`,
          link: '/notices',
        })),
        limit,
      )
    },
  },
  {
    name: 'feed_failing',
    title: 'Feeds that cannot be fetched',
    permission: 'feeds:read',
    async find(ctx, limit) {
      const failing = (await listFeeds(ctx)).filter(({ isEnabled, failures: n }) => isEnabled && n > 0)
      return whole(
        failing.map(({ name, title }) => ({ key: name, subject: `The feed ${title} fails`, link: '/feeds' })),
        limit,
      )
    },
  },
  {
    name: 'flow_paused',
    title: 'Flows that a guard switched off',
    permission: 'flows:read',
    async find(ctx, limit) {
      const { items } = await listFlows(ctx, FLOWS_READ)
      const paused = items.flatMap(({ id, name, pausedReason }) =>
        pausedReason === null
          ? []
          : [{ key: id, subject: `The flow ${name} is off: ${pausedReason}`, link: `/flows/${id}` }],
      )
      return whole(paused, limit)
    },
  },
  {
    name: 'flow_failed',
    title: 'Runs of flows that failed within a day',
    permission: 'flows:read',
    isOfAllAssets: true,
    async find(ctx, limit) {
      const failed = await recentFailures(ctx)
      return whole(
        failed.map(({ id, flowId, flowName, reason }) => ({
          key: id,
          subject: `The flow ${flowName} failed: ${reason ?? 'unknown reason'}`,
          link: `/flows/${flowId}`,
        })),
        limit,
      )
    },
  },
  {
    name: 'scan_failed',
    title: 'Scans that failed within a day',
    permission: 'scans:read',
    isOfAllAssets: true,
    async find(ctx, limit) {
      const { items } = await listScans(ctx, { limit: 100, offset: 0 }, 'failed')
      const recent = items.filter(({ finishedAt }) => isWithinLastDay(ctx, finishedAt))
      return whole(
        recent.map(({ id, targetAddress, message }) => ({
          key: id,
          subject: `The scan of ${targetAddress} failed: ${message}`,
          link: `/scans/${id}`,
        })),
        limit,
      )
    },
  },
]
