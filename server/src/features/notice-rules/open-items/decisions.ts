import { listCandidates } from '#features/assets/assets.ts'
import { exceptionsToApprove } from '#features/compliance/compliance.ts'
import { listHostKeys } from '#features/credentials/credentials.ts'
import { listOverrides } from '#features/vulnerabilities/vulnerabilities.ts'
import { listApprovals } from '#features/flows/flows.ts'
import type { OpenItemKind } from './open-item.ts'

/** What a person has to decide. */
export const decisions: readonly OpenItemKind[] = [
  {
    name: 'exception_approval',
    title: 'Compliance exceptions to approve',
    permission: 'compliance:read',
    isOfAllAssets: true,
    async find(ctx, limit) {
      const { items, total } = await exceptionsToApprove(ctx, limit)
      const proposed = items.map(({ id, title, createdByName }) => ({
        key: id,
        subject: `${createdByName} asks for an exception from “${title}”`,
        link: '/compliance',
      }))
      return { items: proposed, total }
    },
  },
  {
    name: 'override_approval',
    title: 'Overrides of findings to approve',
    permission: 'overrides:read',
    async find(ctx, limit) {
      const { items, total } = await listOverrides(ctx, { limit, offset: 0 }, { states: ['proposed'] })
      const open = items.map(({ id, cveId, createdByName }) => ({
        key: id,
        subject: `${createdByName} asks for an override of ${cveId}`,
        link: '/overrides',
      }))
      return { items: open, total }
    },
  },
  {
    name: 'flow_approval',
    title: 'Runs of flows that wait for approval',
    permission: 'approvals:read',
    isOfAllAssets: true,
    async find(ctx, limit) {
      const { items, total } = await listApprovals(ctx, { limit, offset: 0 }, { isOpen: true })
      const open = items.map(({ id, question }) => ({ key: id, subject: question, link: '/approvals' }))
      return { items: open, total }
    },
  },
  {
    name: 'duplicate',
    title: 'Possible duplicates',
    permission: 'assets:read',
    async find(ctx, limit) {
      const { items, total } = await listCandidates(ctx, { limit, offset: 0 })
      const open = items.map(({ assetIdA, assetIdB, nameA, nameB }) => ({
        key: `${assetIdA}:${assetIdB}`,
        subject: `${nameA || 'an asset'} and ${nameB || 'an asset'} may be one`,
        link: '/duplicates',
      }))
      return { items: open, total }
    },
  },
  {
    name: 'host_key',
    title: 'Host keys to approve',
    permission: 'credentials:read',
    isOfAllAssets: true,
    async find(ctx, limit) {
      const { items, total } = await listHostKeys(ctx, { limit, offset: 0 }, 'waiting')
      const open = items.map(({ id, address, port, algorithm }) => ({
        key: id,
        subject: `${address} port ${port} showed an unknown ${algorithm} key`,
        link: '/host-keys',
      }))
      return { items: open, total }
    },
  },
]
