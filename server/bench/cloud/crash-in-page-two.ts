import { listCoverage, listResourceDetails, syncConnection } from '#features/cloud/cloud.ts'
import type { Finding } from './finding.ts'
import { connectEstate, openCloudInstallation, startEstate, untilRead } from './cloud-installation.ts'

const MACHINES = 5_000
const READ_WITHIN_MS = 900_000

/** A worker that is killed (SIGKILL) while it reads page 2 of the machines; another one goes on. */
export async function crashInPageTwo(): Promise<Finding[]> {
  const place = await openCloudInstallation()
  const estate = await startEstate({ machines: MACHINES, storages: 100, answerMs: 20 })
  try {
    const ctx = await place.newTenant('crash')
    const first = place.startWorker()
    const { id } = await connectEstate(ctx, estate, 'crash')
    await untilRead(ctx, READ_WITHIN_MS)
    const rows = async () => {
      const all: string[] = []
      for (let offset = 0; offset < MACHINES; offset += 1_000) {
        const { items } = await listResourceDetails(ctx, { limit: 1_000, offset }, { type: 'compute' })
        all.push(...items.map((it) => `${it.id} ${it.assetId}`))
      }
      return all.join('\n')
    }
    const before = await rows()
    const killed = new Promise<void>((resolve) => {
      estate.onMachinePage((page) => page === 2 && void first.kill().then(resolve))
    })
    await syncConnection(ctx, id)
    await killed
    const during = await rows()
    place.startWorker()
    const seconds = await untilRead(ctx, READ_WITHIN_MS)
    const after = await rows()
    const { items } = await listCoverage(ctx, id, { limit: 100, offset: 0 })
    const incomplete = items.filter(({ status }) => status !== 'complete').length
    return [
      {
        what: 'killed in page 2: rows gone or new meanwhile',
        found: during === before ? '0' : 'some',
        isMet: during === before,
      },
      {
        what: 'read again by itself: rows gone, doubled or with another asset',
        found: after === before ? '0' : 'some',
        isMet: after === before,
      },
      {
        what: `scopes that are not complete ${seconds.toFixed(0)} s later`,
        found: String(incomplete),
        isMet: incomplete === 0,
      },
    ]
  } finally {
    await place.close()
    await estate.close()
  }
}
