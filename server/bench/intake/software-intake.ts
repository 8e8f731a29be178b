import pg from 'pg'
import type { InstalledSoftware, Observation } from '#features/assets/observation.ts'
import { submit } from '#features/sources/sources.ts'
import { createTenant } from '#features/tenancy/tenancy.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { copyIn } from '../seed/copy-rows.ts'
import { openScratch, type Scratch } from '../scratch-installation.ts'

const ASSETS_DEFAULT = 10_000
const ASSETS_MAX = 100_000
const PACKAGES = 500
const DISTINCT = 20_000
const BATCH = 1_000
/** Some packages are on every machine, most on few. */
const SKEW = 2.5

/** How many packages of reports a second become an inventory, new and unchanged, against COPY of the same rows. */
export async function benchSoftware({ options }: CommandInput): Promise<CommandResult> {
  const assets = options['assets'] === undefined ? ASSETS_DEFAULT : Number(options['assets'])
  if (!Number.isInteger(assets) || assets < 1 || assets > ASSETS_MAX)
    throw invalid('assets', `must be a whole number from 1 to ${ASSETS_MAX}`)
  const scratch = await openScratch({
    size: 1,
    keepIn: undefined,
    say: (text) => process.stderr.write(`${text}\n`),
  })
  try {
    const tenant = await createTenant(scratch.runtime.system, { slug: 'bench-software' })
    const ctx = scratch.runtime.contextFor(tenant.id)
    const sets = setsOf(assets)
    const rows = sets.reduce((sum, { length }) => sum + length, 0)
    const [first, again] = [await takeIn(ctx, sets, 1), await takeIn(ctx, sets, 2)]
    const copied = await copyRows(scratch, sets)
    const perSecond = { first: rows / first, unchanged: rows / again, copy: rows / copied }
    return { json: { assets, rows, perSecond }, text: asText(assets, rows, perSecond) }
  } finally {
    await scratch.close()
  }
}

type Rates = Readonly<Record<'first' | 'unchanged' | 'copy', number>>

function asText(assets: number, rows: number, { first, unchanged, copy }: Rates): string {
  const line = (title: string, rate: number): string =>
    `${title}: ${Math.round(rate)} packages a second, ${(rate / copy).toFixed(2)} of COPY`
  return [
    `${assets} machines with ${rows} packages`,
    line('reported for the first time', first),
    line('reported again without change', unchanged),
    `COPY of one row each into a table with two indexes: ${Math.round(copy)} a second`,
  ].join('\n')
}

/** What each machine has; always the same. */
function setsOf(assets: number): InstalledSoftware[][] {
  const packages = Array.from({ length: DISTINCT }, (_, n): InstalledSoftware => ({
    origin: 'dpkg',
    name: `package-${n >> 2}`,
    version: `1.${n % 4}.${n % 97}-${n % 5}+deb12u1`,
    arch: 'amd64',
    source: { name: `source-${n >> 4}` },
  }))
  let state = 1
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: assets }, () => {
    const chosen = Array.from({ length: PACKAGES }, () => packages[Math.floor(DISTINCT * draw() ** SKEW)])
    return [...new Set(chosen)].filter((it) => it !== undefined)
  })
}

/** Answers the seconds. Each report is an object of its own, as one that came over the network. */
async function takeIn(ctx: Ctx, sets: readonly InstalledSoftware[][], day: number): Promise<number> {
  let spent = 0
  for (let from = 0; from < sets.length; from += BATCH) {
    const batch = sets.slice(from, from + BATCH).map((items, at): Observation => ({
      sourceKey: String(from + at),
      seenAt: new Date(Date.UTC(2026, 0, day)),
      identifiers: [{ type: 'serial', value: `SN${from + at}` }],
      software: {
        release: { id: 'debian', versionId: '12' },
        complete: ['dpkg'],
        items: items.map((it) => ({ ...it })),
      },
    }))
    const begunAt = performance.now()
    await submit(ctx, { kind: 'agent', name: 'bench' }, batch)
    spent += performance.now() - begunAt
  }
  return spent / 1_000
}

const TABLE = `
  create table bench_software (observation text, origin text, ecosystem text, name text, version text, arch text,
    source text);
  create index on bench_software (observation);
  create index on bench_software (name, version)`

/** Answers the seconds. Working out the rows is not counted. */
async function copyRows({ superuser }: Scratch, sets: readonly InstalledSoftware[][]): Promise<number> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query(TABLE)
    let spent = 0
    for (let from = 0; from < sets.length; from += BATCH) {
      const rows = sets.slice(from, from + BATCH).flatMap((items, at) =>
        items.map(({ origin, name, version, arch = '', source }) => ({
          observation: String(from + at),
          origin,
          ecosystem: 'Debian:12',
          name,
          version,
          arch,
          source: source?.name ?? '',
        })),
      )
      const begunAt = performance.now()
      await copyIn(client, { table: 'bench_software', rows })
      spent += performance.now() - begunAt
    }
    return spent / 1_000
  } finally {
    await client.end()
  }
}
