import { allChecks } from '#features/compliance/compliance.ts'
import { columns, type Collecting, type Rows, type Section } from '../kind.ts'
import { hardwareOf, interfacesIn } from './asset-facts.ts'
import * as store from './asset-details-store.ts'

const ofAsset = { asset_id: ['text', 'Asset id'], asset: ['text', 'Asset'] } as const

type Spec = Parameters<typeof columns>[0]

/** What is known of each asset of the audit beside its row, in the order of those rows. */
export const assetDetails = (collecting: Collecting): Section[] => [
  section('recorded', 'Recorded by people', recorded, recordedRows(collecting)),
  section('identity', 'Why it is this asset', identity, store.observations(collecting)),
  section('hardware', 'Hardware', hardware, hardwareRows(collecting)),
  section('interfaces', 'Interfaces', interfaces, interfaceRows(collecting)),
  section('software', 'Software', software, store.software(collecting)),
  {
    ...section('findings', 'Open findings', findings, store.findings(collecting)),
    permission: 'vulnerabilities:read',
  },
  {
    ...section('controls', 'Failing checks', controls, failureRows(collecting)),
    permission: 'compliance:read',
  },
  section('changes', 'Changes', changes, store.changes(collecting)),
]

function section(name: string, title: string, spec: Spec, rows: Rows): Section {
  const note = notes[name]
  return {
    name,
    title,
    of: 'assets',
    columns: columns({ ...ofAsset, ...spec }),
    ...(note !== undefined && { note }),
    empty: 'Nothing is known.',
    rows,
  }
}

const notes: Readonly<Record<string, string>> = {
  software: 'Packages of an operating system are one row, with their number.',
  changes: 'In the period; without one, in the last 30 days.',
}

const recorded: Spec = {
  what: ['text', 'What'],
  value: ['text', 'Value'],
  said_by: ['text', 'Said by'],
  said_at: ['instant', 'Said at'],
}

const identity: Spec = {
  source: ['text', 'Source'],
  kind: ['text', 'Kind'],
  known_as: ['text', 'Known there as'],
  identifiers: ['text', 'Identifiers'],
  first_seen: ['instant', 'First seen'],
  last_seen: ['instant', 'Last seen'],
}

const hardware: Spec = { what: ['text', 'What'], value: ['text', 'Value'] }

const interfaces: Spec = {
  interface: ['text', 'Interface'],
  mac: ['text', 'MAC address'],
  addresses: ['text', 'IP addresses'],
  source: ['text', 'Known by'],
}

const software: Spec = {
  name: ['text', 'Name'],
  version: ['text', 'Version'],
  vendor: ['text', 'Vendor'],
  packages: ['integer', 'Packages'],
}

const findings: Spec = {
  cve: ['text', 'CVE'],
  severity: ['text', 'Severity'],
  score: ['decimal', 'Score'],
  software: ['text', 'Software'],
  fixed_in: ['text', 'Fixed in'],
  exploited_since: ['date', 'Exploited since'],
  found_at: ['instant', 'Found'],
  status: ['text', 'Status'],
}

const controls: Spec = { check: ['text', 'Check'], since: ['instant', 'Fails since'] }

const changes: Spec = { at: ['instant', 'When'], kind: ['text', 'Kind'], what: ['text', 'What'] }

async function* recordedRows(collecting: Collecting): Rows {
  for await (const batch of store.recordedValues(collecting))
    yield batch.map((row) => ({
      ...row,
      value: row.what === 'Place' ? (collecting.places.byId(row.value)?.path ?? row.value) : row.value,
    }))
}

async function* hardwareRows(collecting: Collecting): Rows {
  for await (const batch of store.hardware(collecting))
    yield batch.flatMap(({ asset_id, asset, ...known }) =>
      hardwareOf(known).map((each) => ({ asset_id, asset, ...each })),
    )
}

async function* interfaceRows(collecting: Collecting): Rows {
  for await (const batch of store.interfaces(collecting))
    yield batch.flatMap(({ asset_id, asset, source, listed, macs, addresses }) =>
      interfacesIn(listed, { macs, addresses }).map((each) => ({ asset_id, asset, source, ...each })),
    )
}

async function* failureRows(collecting: Collecting): Rows {
  const titles = new Map((await allChecks(collecting.ctx)).map(({ id, title }) => [id, title]))
  for await (const batch of store.failures(collecting))
    yield batch.map((row) => ({ ...row, check: titles.get(row.check) ?? row.check }))
}
