import { invalid } from '#platform/errors.ts'
import { columns, isCustom, type AssetColumn, type Column } from './asset-row.ts'

/** What each cell of a row is; null for cells that are left out. */
export type Header = readonly (Column | null)[]

/**
 * By the columns' own names, and by what was said of some titles. Refuses unknown names, unless they are to be left
 * out, and columns that stand twice.
 */
export function headerByName(
  titles: readonly string[],
  ignoreUnknown: boolean,
  said: ReadonlyMap<string, Column | null> = new Map(),
): Header {
  const header = titles.map((title) =>
    said.has(title) ? (said.get(title) ?? null) : (ownName(title) ?? null),
  )
  if (!ignoreUnknown) refuseUnknown(titles.filter((title, i) => header[i] === null && !said.has(title)))
  return checkedHeader(header)
}

/** As a person or an earlier import said. Refuses what does not fit the file. */
export function headerAsSaid(titles: readonly string[], said: Header): Header {
  if (said.length !== titles.length)
    throw invalid('columns', `are ${said.length}, and the header has ${titles.length}`)
  return checkedHeader(said)
}

/** By the columns' names in other spellings and words; what is not understood is left out. */
export function guessedHeader(titles: readonly string[]): Header {
  const taken = new Set<Column>()
  const header = titles.map((title): Column | null => {
    const column = ownName(title)
    if (column) taken.add(column)
    return column ?? null
  })
  return header.map((known, place) => {
    const guess = known ?? synonyms.get(plainName(titles[place] ?? '')) ?? null
    if (known !== null || guess === null || taken.has(guess)) return known
    taken.add(guess)
    return guess
  })
}

const ownName = (title: string): Column | undefined =>
  isCustom(title) ? title : columns.find((column) => column === title)

/** A column by its name; null for an empty text, which leaves it out. */
export function columnNamed(name: string): Column | null {
  const column = ownName(name)
  if (column === undefined && name !== '')
    throw invalid('columns', `${JSON.stringify(name)} is none of ${columns.join(', ')}, custom.KEY`)
  return column ?? null
}

function checkedHeader(header: Header): Header {
  const twice = header.find((column, i) => column !== null && header.indexOf(column) !== i)
  if (twice) throw invalid(twice, 'stands twice in the header')
  if (header.every((column) => column === null))
    throw invalid('header', `names none of the columns ${columns.join(', ')}`)
  return header
}

function refuseUnknown(unknown: readonly string[]): void {
  if (unknown.length === 0) return
  const named = unknown.map((name) => {
    const near = nearest(name)
    return near === undefined ? JSON.stringify(name) : `${JSON.stringify(name)} (did you mean ${near}?)`
  })
  throw invalid(
    unknown[0] || 'header',
    `unknown columns: ${named.join(', ')}; known are ${columns.join(', ')}, custom.KEY. --ignore-unknown leaves others out`,
  )
}

/** The column that was probably meant: the same but for case and signs, or one name within the other. */
function nearest(name: string): AssetColumn | undefined {
  const plain = plainName(name)
  const same = synonyms.get(plain)
  if (same !== undefined || plain.length < 2) return same
  return columns.find((column) => {
    const known = plainName(column)
    return known.includes(plain) || (known.length >= 4 && plain.includes(known))
  })
}

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

/** Titles of the exports and lists that people keep (Excel, NetBox, Snipe-IT, Lansweeper, Active Directory). */
const words: Readonly<Record<AssetColumn, readonly string[]>> = {
  id: ['assetid', 'uuid'],
  name: ['assetname', 'displayname', 'devicename', 'device', 'machine', 'bezeichnung', 'label'],
  assetType: ['type', 'devicetype', 'kind', 'typ'],
  ipAddress: ['ip', 'ipaddresses', 'address', 'primaryip', 'ipadresse'],
  macAddress: ['mac', 'macaddresses', 'physicaladdress', 'ethernetaddress', 'macadresse'],
  os: ['operatingsystem', 'osname', 'betriebssystem', 'platform'],
  riskScore: ['risk', 'score'],
  lastSeen: ['lastcontact', 'lastcheckin', 'lastlogon', 'seen', 'zuletztgesehen'],
  tags: ['tag', 'labels', 'groups'],
  hostname: [
    'host',
    'fqdn',
    'dnsname',
    'dnshostname',
    'computername',
    'computer',
    'rechnername',
    'servername',
  ],
  serial: ['serialnumber', 'serialno', 'sn', 'servicetag', 'seriennummer'],
  vendor: ['manufacturer', 'manufacturername', 'make', 'maker', 'brand', 'hersteller'],
  model: ['modelname', 'devicemodel', 'modell'],
  owner: ['assignedto', 'responsible', 'custodian', 'checkedoutto', 'verantwortlich', 'besitzer'],
  department: ['dept', 'businessunit', 'abteilung'],
  costCentre: ['costcenter', 'kostenstelle'],
  site: ['location', 'place', 'standort', 'building', 'room', 'office'],
  state: ['lifecycle', 'lifecyclestate', 'status', 'statuslabel', 'assetstatus'],
  purchasedOn: ['purchasedate', 'purchased', 'dateofpurchase', 'acquired', 'kaufdatum'],
  price: ['purchasecost', 'purchaseprice', 'cost', 'preis', 'kaufpreis'],
  currency: ['currencycode', 'waehrung'],
  supplier: ['vendorname', 'reseller', 'lieferant', 'purchasedfrom'],
  orderNumber: ['ordernumber', 'orderno', 'ponumber', 'purchaseorder', 'bestellnummer'],
  warrantyEnds: ['warranty', 'warrantyexpires', 'warrantyend', 'warrantyuntil', 'garantiebis'],
  leaseEnds: ['leaseend', 'leaseexpires', 'leaseuntil'],
  replaceOn: ['replacementdate', 'plannedreplacement', 'replaceby'],
  hardwareEol: ['hardwareendoflife', 'endofsupport', 'eol', 'eoldate'],
  approved: ['authorized', 'authorised', 'isapproved', 'sanctioned'],
  externallyScannedOn: ['externallyscanned', 'externalscan', 'lastexternalscan'],
  notes: ['note', 'comment', 'comments', 'remarks', 'bemerkung', 'notizen'],
}
const synonyms: ReadonlyMap<string, AssetColumn> = new Map(
  columns.flatMap((column) => [column, ...words[column]].map((word) => [plainName(word), column] as const)),
)
