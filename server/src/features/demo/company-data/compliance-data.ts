import { createHash } from 'node:crypto'
import { listAssets, type Asset } from '#features/assets/assets.ts'
import { attestControl, createException, listExceptions } from '#features/compliance/compliance.ts'
import { addHostKey, knowHostKey, listHostKeys } from '#features/credentials/credentials.ts'
import { setNetworkTypes, setRecords } from '#features/records/records.ts'
import { addSoftwareEntry, listSoftwareEntries } from '#features/software/software.ts'
import type { Ctx } from '#platform/context.ts'

/** What people of the company decided about its security, once: what may be where, and which control they attest. */

const DAY_MS = 86_400_000
const ANY = { limit: 1, offset: 0 }
/** Those of the first site; of other networks nobody said what they are meant for. */
const OFFICE_NETWORK = '10.0.0.0/16'
const KNOWN_HOSTS = 12

/** Lists of software, purposes of networks, known host keys, and when what the internet reaches was scanned. */
export async function createSecurityRules(ctx: Ctx): Promise<void> {
  if ((await listSoftwareEntries(ctx, ANY)).total > 0) return
  for (const [name, reason] of forbidden)
    await addSoftwareEntry(ctx, { list: 'forbidden', name, vendor: '', reason })
  for (const [name, vendor] of allowed)
    await addSoftwareEntry(ctx, { list: 'allowed', name, vendor, reason: 'Standard workplace' })
  // cameras belong into a network of their own
  const types = ['workstation', 'printer', 'switch', 'access_point', 'firewall', 'ot_device', 'server']
  await setNetworkTypes(ctx, { network: OFFICE_NETWORK, types })
  await pinHostKeys(ctx)
  await recordExternalScans(ctx)
}

const forbidden = [
  ['*torrent*', 'File sharing; decided by the works council in 2024.'],
  ['TeamViewer*', 'Remote help goes through the service desk alone.'],
  ['hashcat*', 'Cracks passwords.'],
] as const
const allowed = [
  ['', 'Microsoft*'],
  ['', 'Mozilla*'],
  ['', 'Google*'],
  ['', 'Adobe*'],
  ['', 'Zoom*'],
  ['', 'VideoLAN*'],
  ['7-Zip*', ''],
  ['Notepad++*', ''],
  ['PuTTY*', ''],
  ['WinRAR*', ''],
] as const

/** Of a few servers; the third showed another key since, which nobody has accepted. */
async function pinHostKeys(ctx: Ctx): Promise<void> {
  if ((await listHostKeys(ctx, ANY)).total > 0) return
  for (const [at, { id, ipAddress }] of (await some(ctx, 'port = 22', KNOWN_HOSTS)).entries()) {
    if (ipAddress === '') continue
    const host = { address: ipAddress, port: 22, algorithm: 'ssh-ed25519' }
    await addHostKey(ctx, { ...host, fingerprint: fingerprintOf(id) })
    const other = { ...host, fingerprint: fingerprintOf(`${id} since`) }
    if (at === 2) await knowHostKey(ctx, other, { scanId: '', names: [], isToAsk: false })
  }
}

const fingerprintOf = (text: string): string =>
  `SHA256:${createHash('sha256').update(text).digest('base64').replace('=', '')}`

/** Of what the internet reaches: each third recently, each third too long ago, of the others nobody knows. */
async function recordExternalScans(ctx: Ctx): Promise<void> {
  const daysAgo = [20, 200, undefined] as const
  for (const [at, { id }] of (await some(ctx, 'exposure = internet', KNOWN_HOSTS)).entries()) {
    const days = daysAgo[at % daysAgo.length]
    if (days === undefined) continue
    const externallyScannedOn = dayAfter(ctx, -days).slice(0, 10)
    await setRecords(ctx, { assetIds: [id], values: { externallyScannedOn } })
  }
}

/** An exception, and attestations of controls that no inventory sees; one of them ends soon. */
export async function createComplianceData(ctx: Ctx, framework: string): Promise<void> {
  if ((await listExceptions(ctx, ANY)).total > 0) return
  const [asset] = await some(ctx, 'port = 5900', 1)
  if (asset)
    await createException(ctx, {
      checkId: 'no-vnc',
      assetId: asset.id,
      reason: 'The label printer is served by VNC alone; it is replaced in spring.',
      expiresAt: dayAfter(ctx, 150),
    })
  for (const [controlId, statement, days] of attested)
    await attestControl(ctx, { framework, controlId, statement, validUntil: dayAfter(ctx, days) })
}

const attested = [
  ['GV.PO-01', 'The board approved the security policy; it is on the intranet and signed by new staff.', 300],
  ['GV.RR-02', 'Roles are in the organisation chart; their deputies are named.', 240],
  ['PR.AT-01', 'All staff did the yearly training; the list is with human resources.', 25],
] as const

const dayAfter = (ctx: Ctx, days: number): string =>
  new Date(ctx.now().getTime() + days * DAY_MS).toISOString()

/** By name, so that the same estate has the same. */
async function some(ctx: Ctx, where: string, limit: number): Promise<Asset[]> {
  const { items } = await listAssets(ctx, { limit: 200, offset: 0 }, { where })
  return items.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit)
}
