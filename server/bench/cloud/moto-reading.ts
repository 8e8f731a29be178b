import { sql } from 'kysely'
import { connectCloud, listResources, syncConnection } from '#features/cloud/cloud.ts'
import type { Ctx } from '#platform/context.ts'
import type { Finding } from './finding.ts'
import { openCloudInstallation, untilRead } from './cloud-installation.ts'
import { ESTATE, makeEstate, REGIONS } from './moto-estate.ts'

const READ_WITHIN_MS = 900_000

/**
 * Reads an estate at a fresh `moto_server`: what is listed, that a second reading changes nothing, and what becomes of
 * machines that are ended or stopped.
 */
export async function readMoto(address: string): Promise<Finding[]> {
  const place = await openCloudInstallation()
  try {
    const estate = await makeEstate(address)
    const ctx = await place.newTenant('moto')
    place.startWorker()
    const { id } = await connectCloud(ctx, connectionTo(address, estate.accounts), { isTested: true })
    const seconds = await untilRead(ctx, READ_WITHIN_MS)
    const first = await countsOf(ctx)
    const before = [await digestOf(ctx), await eventsOf(ctx)]
    await syncConnection(ctx, id)
    await untilRead(ctx, READ_WITHIN_MS)
    const again = [await digestOf(ctx), await eventsOf(ctx)]
    await estate.change(5, 3)
    await syncConnection(ctx, id)
    await untilRead(ctx, READ_WITHIN_MS)
    return [
      compared(`moto: read in ${seconds.toFixed(0)} s`, first, ESTATE),
      compared('moto: second reading, rows and events', again, before),
      compared('moto: 5 ended', await countsOf(ctx), { ...ESTATE, compute: ESTATE.compute - 5 }),
      compared('moto: 3 stopped', await stoppedOf(ctx), 3),
    ]
  } finally {
    await place.close()
  }
}

const connectionTo = (address: string, accounts: readonly string[]) => ({
  name: 'moto',
  provider: 'AWS',
  signIn: 'access_key',
  values: {
    accessKeyId: 'AKIATEST',
    secretAccessKey: 'test',
    accounts: accounts.join(','),
    regions: REGIONS.join(','),
    // moto lets in without an external id
    externalId: 'optional',
    apiAddress: address,
  },
})

async function countsOf(ctx: Ctx): Promise<Record<string, number>> {
  const counts = Object.keys(ESTATE).map(
    async (type) => [type, (await listResources(ctx, { limit: 1, offset: 0 }, { type })).total] as const,
  )
  return Object.fromEntries(await Promise.all(counts))
}

/** Of everything that the list shows. */
const digestOf = async (ctx: Ctx): Promise<string> =>
  (
    await ctx.db.one(sql<{ digest: string }>`
      select md5(string_agg(concat_ws('|', id, name, status, native_id, tags::text), '\n' order by id)) as digest
      from cloud_resources where tenant_id = ${ctx.tenantId} and gone_at is null`)
  ).digest

const eventsOf = async (ctx: Ctx): Promise<number> =>
  (await ctx.db.one(sql<{ n: number }>`select count(*) as n from events where tenant_id = ${ctx.tenantId}`)).n

const stoppedOf = async (ctx: Ctx): Promise<number> =>
  (
    await ctx.db.one(sql<{ n: number }>`
      select count(*) as n from cloud_resources
      where tenant_id = ${ctx.tenantId} and gone_at is null and type = 'compute' and status = 'stopped'`)
  ).n

function compared(what: string, found: unknown, expected: unknown): Finding {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)]
  return { what, found: is === should ? is : `${is}, expected ${should}`, isMet: is === should }
}
