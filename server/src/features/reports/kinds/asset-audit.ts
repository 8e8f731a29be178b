import type { Cell } from '../dataset/dataset.ts'
import { assetRows, countUnassessed, type AssetRow } from './asset-rows-store.ts'
import { assetFigures } from './figures/asset-figures.ts'
import { assetDetails } from './audit/asset-details.ts'
import { columns, type Collecting, type ReportKind, type Rows, type Section } from './kind.ts'

const UNSEEN_DAYS = 30
const DAY_MS = 86_400_000

const auditColumns = columns({
  id: ['text', 'Id'],
  name: ['text', 'Name'],
  type: ['code', 'Type'],
  device_type: ['code', 'Device type'],
  owner: ['text', 'Owner'],
  site: ['text', 'Site'],
  state: ['code', 'State'],
  serial: ['text', 'Serial number'],
  asset_tag: ['text', 'Asset tag'],
  vendor: ['text', 'Vendor'],
  model: ['text', 'Model'],
  ip: ['text', 'IP address'],
  mac: ['text', 'MAC address'],
  os: ['text', 'Operating system'],
  first_seen: ['instant', 'First seen'],
  last_seen: ['instant', 'Last seen'],
  sources: ['integer', 'Sources'],
  confidence: ['decimal', 'Confidence'],
  risk: ['decimal', 'Risk'],
  open_findings: ['integer', 'Open findings'],
  purchased_on: ['date', 'Purchased on'],
  price: ['decimal', 'Price'],
  currency: ['text', 'Currency'],
  warranty_ends: ['date', 'Warranty ends'],
  discrepancies: ['text', 'Discrepancies'],
})

/** One row an asset: what is recorded of it, what was seen of it, and where the two differ. */
export const assetAudit: ReportKind = {
  type: 'asset_audit',
  permissions: ['assets:read'],
  isOfPeriod: true,
  hasSheets: true,
  leads: 'differences',
  figures: assetFigures,
  async notes(collecting) {
    const tooMany =
      `${collecting.assetCount} assets are too many to show the software, findings and changes of each: ` +
      `choose at most ${DETAILED_MAX}.`
    return [
      ...(await assetNotes(collecting)),
      ...(isDetailed(collecting) ? changeNotes(collecting) : [tooMany]),
    ]
  },
  sections(collecting) {
    const differing: NamedCells[] = []
    const main = assetSection(collecting)
    const assets = { ...main, rows: keepingThoseThatDiffer(main.rows, differing) }
    const details = isDetailed(collecting) ? assetDetails(collecting) : []
    return [
      { ...assets, ...(details.length > 0 && { details: details.map(({ name }) => name) }) },
      ...details,
      differenceSection(differing),
    ]
  },
}

/** Above so many assets an audit is the table alone: what is known of each would be millions of rows. */
const DETAILED_MAX = 10_000

const isDetailed = ({ assetCount }: Collecting): boolean => assetCount <= DETAILED_MAX

/** The main table of the audit, which a custom report shows as well. */
export function assetSection(collecting: Collecting): Section {
  return {
    name: 'assets',
    title: 'Assets',
    isMain: true,
    layout: 'sheets',
    columns: auditColumns,
    empty: 'There are no assets in this scope.',
    rows: auditRows(collecting),
  }
}

type NamedCells = Readonly<Record<string, Cell | undefined>>

const DIFFERENCES_MAX = 1_000

/** The rows, of which the first that differ are kept. */
async function* keepingThoseThatDiffer(rows: Rows, kept: NamedCells[]): Rows {
  for await (const batch of rows) {
    const differing = batch.filter(({ discrepancies }) => discrepancies != null)
    kept.push(...differing.slice(0, DIFFERENCES_MAX - kept.length))
    yield batch
  }
}

const differenceSection = (differing: readonly NamedCells[]): Section => ({
  name: 'differences',
  title: 'What differs',
  columns: [
    { name: 'id', title: 'Id', kind: 'text', isNotPrinted: true },
    ...columns({
      name: ['text', 'Name'],
      type: ['code', 'Type'],
      site: ['text', 'Site'],
      owner: ['text', 'Owner'],
      discrepancies: ['text', 'What is recorded, and what is seen'],
    }),
  ],
  note: `Assets of which records and sightings say different things, at most ${DIFFERENCES_MAX}.`,
  empty: 'Nothing that is recorded differs from what is seen.',
  rows: differences(differing),
})

async function* differences(differing: readonly NamedCells[]): Rows {
  yield differing
}

/** What is not among the changes for want of a permission. */
const changeNotes = ({ ctx: { actor, db } }: Collecting): string[] => [
  ...(actor.may('vulnerabilities:read')
    ? []
    : ['Changes of findings are left out: who made the report may not read them.']),
  ...(actor.may('audit:read') || db.whole
    ? []
    : ['What people changed is left out: who made the report may not read the audit log.']),
]

export async function assetNotes({ ctx, assetIds }: Collecting): Promise<string[]> {
  if (!ctx.actor.may('vulnerabilities:read'))
    return ['The number of open findings is left out: who made the report may not read them.']
  const unassessed = await countUnassessed(ctx, assetIds)
  if (unassessed === 0) return []
  return [
    `Of ${unassessed} ${unassessed === 1 ? 'asset' : 'assets'} no source lists the software: ` +
      'risk and findings are unknown there, and unknown is not zero.',
  ]
}

async function* auditRows(collecting: Collecting): Rows {
  for await (const batch of assetRows(collecting.ctx, collecting.assetIds))
    yield batch.map((row) => {
      const { byId, byAddress } = collecting.places
      const [recorded, seen] = [byId(row.place_id ?? ''), byAddress(row.ip ?? '')]
      const differences = [
        ...lifeDifferences(row, collecting.asOf),
        ...(recorded && seen && recorded.siteId !== seen.siteId
          ? [`recorded in ${recorded.site}, seen in ${seen.site}`]
          : []),
        ...(row.differs === null ? [] : [row.differs]),
      ]
      return {
        ...row,
        ...(!collecting.ctx.actor.may('vulnerabilities:read') && { open_findings: null }),
        site: (recorded ?? seen)?.site,
        discrepancies: differences.length > 0 ? differences.join('; ') : null,
      }
    })
}

/** Where the recorded state and the sightings contradict each other. */
function lifeDifferences({ state, last_seen: lastSeen }: AssetRow, asOf: Date): string[] {
  const isUnseen = Date.parse(lastSeen) < asOf.getTime() - UNSEEN_DAYS * DAY_MS
  const day = lastSeen.slice(0, 10)
  if (state === 'in_use' && isUnseen) return [`in use, but not seen since ${day}`]
  const isAway = state === 'retired' || state === 'lost' || state === 'ordered'
  return isAway && !isUnseen ? [`${state}, but seen on ${day}`] : []
}
