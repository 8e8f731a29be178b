import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { glpiAgent } from '#test/support/endpoint-agents/perl-agents.ts'
import { listAgents } from './agents.ts'
import { assetsOf, enrolled, installedIn, isStoredAnywhere } from './agents.fixture.ts'

const home = sharedTestApp()
const CLIENT_TIMEOUT_MS = 240_000
const STATUS = '/var/lib/dpkg/status'
/** A source tree of the GLPI agent, which is in no registry that tests may use (CONTRIBUTING.md). */
const tree = process.env['GLPI_AGENT'] ?? ''

const packages = (): string[] =>
  execFileSync('dpkg-query', ['-W', '-f=${db:Status-Abbrev}|${Package}\n'], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => (line.startsWith('ii') ? [line.split('|')[1] ?? ''] : []))
    .toSorted()

const told = async (ctx: Ctx): Promise<string[]> =>
  (await installedIn(ctx, 'glpi')).map(({ name }) => name).toSorted()

describe('a real GLPI agent', () => {
  test(
    'its host is an asset with every package; a partial inventory removes nothing, one that tells of software does',
    { timeout: CLIENT_TIMEOUT_MS },
    async () => {
      const { ctx, address, secret } = await enrolled(home(), { tags: ['office'] })
      const run = glpiAgent(tree)
      const errorsIn = (log: string) => log.split('\n').filter((it) => it.startsWith('[error]'))
      expect(errorsIn(await run(address))).toEqual([])
      const [first] = await assetsOf(ctx)
      expect(first).toMatchObject({ os: expect.stringContaining('Debian'), tags: ['office', 'paris'] })
      expect(await told(ctx)).toEqual(packages())

      const second = await run(address)
      expect(errorsIn(second)).toEqual([])
      expect(second).toContain('"partial": true')
      expect(await told(ctx)).toEqual(packages())

      const all = readFileSync(STATUS, 'utf8').split('\n\n')
      const without = all.filter((it) => !it.startsWith('Package: nmap\n')).join('\n\n')
      expect(errorsIn(await run(address, { inPlaceOf: STATUS, content: without }))).toEqual([])
      expect(await told(ctx)).toEqual(packages().filter((it) => it !== 'nmap'))

      expect((await assetsOf(ctx)).map(({ id }) => id)).toEqual([first?.id])
      const { items } = await listAgents(ctx, { limit: 5, offset: 0 })
      expect(items).toMatchObject([{ kind: 'glpi', problem: '', assetId: first?.id }])
      expect(await isStoredAnywhere(home(), secret)).toBe(false)
    },
  )
})
