import type { ChangedAssetsData } from '#api/generated/changes.ts'
import type { ChangeKind } from '#api/generated/enums-and-inputs.ts'
import { many } from '#lib/numbers.ts'
import { spaced } from '#lib/in-words.ts'

export type ChangedAsset = ChangedAssetsData['changedAssets']['items'][number]

/** What each kind is called where it is one of several changes of an asset. */
const WORDS: Readonly<Record<ChangeKind, (count: number) => string>> = {
  asset_appeared: () => 'Appeared',
  asset_archived: () => 'Archived',
  asset_deleted: () => 'Deleted',
  asset_revived: () => 'Back from the archive',
  asset_merged: (n) => `${many(n, 'asset')} merged into it`,
  asset_split: () => 'Split off another',
  software_installed: (n) => `${many(n, 'program')} installed`,
  software_removed: (n) => `${many(n, 'program')} removed`,
  software_updated: (n) => `${many(n, 'program')} updated`,
  port_opened: () => 'Ports opened',
  port_closed: () => 'Ports closed',
  finding_opened: (n) => `${many(n, 'finding')} opened`,
  finding_closed: (n) => `${many(n, 'finding')} closed`,
  source_connected: (n) => many(n, 'new source'),
  field_changed: (n) => many(n, 'value'),
}

/** One change in its own line. */
export const KIND: Readonly<Record<ChangeKind, string>> = {
  asset_appeared: 'Appeared',
  asset_archived: 'Archived',
  asset_deleted: 'Deleted',
  asset_revived: 'Back from the archive',
  asset_merged: 'Merged into it',
  asset_split: 'Split off',
  field_changed: 'Value',
  software_installed: 'Installed',
  software_removed: 'Removed',
  software_updated: 'Updated',
  port_opened: 'Opened',
  port_closed: 'Closed',
  finding_opened: 'Finding opened',
  finding_closed: 'Finding closed',
  source_connected: 'New source',
}

const ORDER = Object.keys(WORDS) as ChangeKind[]
const FIELDS_SHOWN = 3

/** `Appeared · 12 programs installed · 2 values: os, tags`: what matters most first, fields by name while they are few. */
export function summaryOf({ counts, fields }: Pick<ChangedAsset, 'counts' | 'fields'>): string {
  const named = fields.length > FIELDS_SHOWN ? '' : `: ${fields.map(fieldName).join(', ')}`
  return counts
    .toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
    .map(({ kind, count }) => WORDS[kind](count) + (kind === 'field_changed' ? named : ''))
    .join(' · ')
}

const SHORT: Readonly<Record<string, string>> = {
  ip: 'IP address',
  mac: 'MAC address',
  os: 'operating system',
  tag: 'tags',
}

/** The name of a field as conditions have it, in words. */
export const fieldName = (field: string): string =>
  SHORT[field] ?? spaced(field.replace(/^custom_field:/, ''))

/** A value as text; null where it is not known. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map((it) => valueText(it) ?? '').join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}

export const whoName = (changedBy: string): string => (changedBy === 'system' ? 'Rollcall' : changedBy)
