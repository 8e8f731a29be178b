/** Fields of the server with their labels. */
export const COLUMN_CHOICES = [
  { value: '', label: 'Leave out' },
  { value: 'name', label: 'Name' },
  { value: 'hostname', label: 'Host name' },
  { value: 'ipAddress', label: 'IP address' },
  { value: 'macAddress', label: 'MAC address' },
  { value: 'serial', label: 'Serial number' },
  { value: 'vendor', label: 'Make' },
  { value: 'model', label: 'Model' },
  { value: 'assetType', label: 'Type' },
  { value: 'os', label: 'Operating system' },
  { value: 'tags', label: 'Tags (between semicolons)' },
  { value: 'lastSeen', label: 'Last seen' },
  { value: 'riskScore', label: 'Risk score (not taken)' },
  { value: 'owner', label: 'Owner' },
  { value: 'department', label: 'Department' },
  { value: 'costCentre', label: 'Cost centre' },
  { value: 'site', label: 'Site' },
  { value: 'state', label: 'State' },
  { value: 'purchasedOn', label: 'Purchased on' },
  { value: 'price', label: 'Price' },
  { value: 'currency', label: 'Currency' },
  { value: 'supplier', label: 'Supplier' },
  { value: 'orderNumber', label: 'Order number' },
  { value: 'warrantyEnds', label: 'Warranty ends' },
  { value: 'leaseEnds', label: 'Lease ends' },
  { value: 'replaceOn', label: 'Replace on' },
  { value: 'hardwareEol', label: 'Hardware end of life' },
  { value: 'approved', label: 'Approved' },
  { value: 'externallyScannedOn', label: 'Scanned from outside on' },
  { value: 'notes', label: 'Notes' },
  { value: 'id', label: "Rollcall's id" },
]

/** What a column of a table is called: by its title in the file, else as in this app; undefined for what is no column. */
export function columnLabel(
  column: string,
  columns: readonly { readonly title: string; readonly column: string | null }[],
): string | undefined {
  const inFile = columns.find((it) => it.column === column)?.title
  if (inFile !== undefined) return inFile
  return COLUMN_CHOICES.find(({ value }) => value === column)?.label
}

/** Words of a sentence in quotation marks are of the file; others may be names of columns. */
const QUOTED_OR_NAME = /"(?:[^"\\]|\\.)*"|\b[a-z]+(?:[A-Z][a-z]+)+\b/g

/** Why a row is left out, with columns called as `columnLabel` does. */
export const withColumnLabels = (sentence: string, columns: Parameters<typeof columnLabel>[1]): string =>
  sentence.replaceAll(QUOTED_OR_NAME, (it) => columnLabel(it, columns) ?? it)
