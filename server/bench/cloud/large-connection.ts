import { createKey } from '#features/api-keys/api-keys.ts'
import { listResources } from '#features/cloud/cloud.ts'
import type { Finding } from './finding.ts'
import { connectEstate, openCloudInstallation, startEstate, untilRead } from './cloud-installation.ts'

const MEMORY_MB_MAX = 300
const SECONDS_MAX = 300
const LIST_MS_MAX = 50
const SAMPLES = 200
const FLAT_FROM_PAGE = 10
/** What the collector of garbage may leave for later. */
const FLAT_WITHIN_MB = 60
const READ_WITHIN_MS = 3_600_000

/** One connection with so many resources: half of them machines with network interfaces. */
export async function largeConnection(resources: number): Promise<Finding[]> {
  const place = await openCloudInstallation()
  const machines = Math.floor(resources / 2)
  const estate = await startEstate({ machines, storages: resources - machines, answerMs: 0 })
  try {
    const ctx = await place.newTenant('large')
    const worker = place.startWorker()
    await connectEstate(ctx, estate, 'large')
    let [pages, early, peak] = [0, 0, 0]
    estate.onMachinePage((page) => (pages = page))
    const seconds = await untilRead(ctx, READ_WITHIN_MS, async () => {
      const now = await worker.memory()
      if (pages <= FLAT_FROM_PAGE) early = Math.max(early, now)
      peak = Math.max(peak, now)
    })
    const { total } = await listResources(ctx, { limit: 1, offset: 0 })
    const { secret } = await createKey(ctx, { name: 'bench', scopes: ['read'] })
    const p95 = await firstPageP95(`${await place.serve()}/api/v1/cloud-resources`, secret)
    return [
      { what: `resources listed of ${resources}`, found: String(total), isMet: total === resources },
      { what: `seconds (${SECONDS_MAX})`, found: seconds.toFixed(0), isMet: seconds <= SECONDS_MAX },
      {
        what: `memory of the worker at most, MB (${MEMORY_MB_MAX})`,
        found: String(peak),
        isMet: peak <= MEMORY_MB_MAX,
      },
      {
        what: `memory until page ${FLAT_FROM_PAGE} and at most after it, MB (${FLAT_WITHIN_MB} more)`,
        found: `${early}, ${peak}`,
        isMet: peak <= early + FLAT_WITHIN_MB,
      },
      {
        what: `first page of GET /cloud-resources, p95 of ${SAMPLES}, ms (${LIST_MS_MAX})`,
        found: p95.toFixed(1),
        isMet: p95 <= LIST_MS_MAX,
      },
    ]
  } finally {
    await place.close()
    await estate.close()
  }
}

async function firstPageP95(url: string, key: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < SAMPLES; n += 1) {
    const began = performance.now()
    const response = await fetch(url, { headers: { 'x-api-key': key } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`GET /cloud-resources answered ${response.status}`)
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(SAMPLES * 0.95)] ?? Number.NaN
}
