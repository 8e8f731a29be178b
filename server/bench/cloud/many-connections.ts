import { getConnection } from '#features/cloud/cloud.ts'
import type { Finding } from './finding.ts'
import { connectEstate, openCloudInstallation, startEstate, untilRead } from './cloud-installation.ts'

const LARGE_TENANTS = 19
const SMALL_SECONDS_MAX = 30
const READ_WITHIN_MS = 3_600_000

/** Plans so many connections at once: 19 tenants hold all but one, a small tenant the last. */
export async function manyConnections(connections: number): Promise<Finding[]> {
  const place = await openCloudInstallation()
  const estate = await startEstate({ machines: 50, storages: 50, answerMs: 100 })
  try {
    const large = []
    for (let n = 0; n < LARGE_TENANTS; n += 1) large.push(await place.newTenant(`large-${n}`))
    for (let n = 0; n < connections - 1; n += 1) {
      const ctx = large[n % LARGE_TENANTS]
      if (ctx) await connectEstate(ctx, estate, `connection ${n}`)
    }
    const small = await place.newTenant('small')
    const { id } = await connectEstate(small, estate, 'small')
    const began = performance.now()
    place.startWorker()
    const seconds = await untilRead(small, READ_WITHIN_MS)
    const { scopes, completeScopes } = await getConnection(small, id)
    for (const ctx of large) await untilRead(ctx, READ_WITHIN_MS)
    const whole = (performance.now() - began) / 1_000
    return [
      {
        what: `${connections} connections at once: 5 scopes of the small tenant, seconds (${SMALL_SECONDS_MAX})`,
        found: `${seconds.toFixed(1)}, ${completeScopes} of ${scopes} complete`,
        isMet: seconds <= SMALL_SECONDS_MAX && completeScopes === 5,
      },
      { what: 'all of them, seconds', found: whole.toFixed(0), isMet: true },
    ]
  } finally {
    await place.close()
    await estate.close()
  }
}
