import type { Command } from '#platform/cli/command.ts'
import { stateOf, type Collector } from './collector.ts'
import { createCollector, deleteCollector, listCollectors, revokeCollector } from './collectors.ts'

export const commands: readonly Command[] = [
  {
    path: 'collector create',
    tenant: true,
    options: { name: { value: 'NAME', required: true, help: 'what people call it, such as its site' } },
    help: 'adds a remote collector and makes the secret with which it enrols; shown this once',
    async run(ctx, { options, site = 'https://HOST' }) {
      const { collector, secret } = await createCollector(ctx, { name: String(options['name']) })
      const environment = startLines(site, secret)
      return {
        json: { ...collectorJson(collector, ctx.now()), secret, environment },
        text: [
          lineOf(collector, ctx.now()),
          '',
          'On the machine that is to scan, within a day:',
          ...environment,
        ].join('\n'),
      }
    },
  },
  {
    path: 'collector list',
    tenant: true,
    help: 'remote collectors, by name',
    async run(ctx) {
      const all = await listCollectors(ctx)
      const now = ctx.now()
      return {
        json: all.map((it) => collectorJson(it, now)),
        text: all.map((it) => lineOf(it, now)).join('\n'),
      }
    },
  },
  {
    path: 'collector revoke',
    args: ['id'],
    tenant: true,
    help: 'requests of a remote collector are refused from now on',
    async run(ctx, { args }) {
      const collector = await revokeCollector(ctx, args['id'] ?? '')
      return { json: collectorJson(collector, ctx.now()), text: lineOf(collector, ctx.now()) }
    },
  },
  {
    path: 'collector delete',
    args: ['id'],
    tenant: true,
    help: 'removes a remote collector that scans no target any more',
    async run(ctx, { args }) {
      await deleteCollector(ctx, args['id'] ?? '')
      return { json: { id: args['id'] }, text: 'Deleted.' }
    },
  },
]

/** As a shell takes them. */
const startLines = (site: string, secret: string): string[] => [
  `export ROLES=collector COLLECTOR_SERVER=${site} COLLECTOR_SECRET=${secret}`,
  'npm start',
]

const collectorJson = (it: Collector, now: Date) => ({
  id: it.id,
  name: it.name,
  state: stateOf(it, now),
  version: it.version,
  address: it.address,
  created_at: it.createdAt,
  enrolled_at: it.enrolledAt,
  last_seen_at: it.lastSeenAt,
  revoked_at: it.revokedAt,
  shared_at: it.sharedAt,
})

const lineOf = (it: Collector, now: Date): string =>
  [
    it.id,
    it.name,
    stateOf(it, now),
    it.version,
    it.address,
    it.lastSeenAt ?? 'never heard of',
    it.sharedAt === null ? '' : `TWO PROCESSES HAD ITS IDENTITY at ${it.sharedAt}`,
  ]
    .filter(Boolean)
    .join('  ')
