import { shortened } from '#platform/validation/shortened.ts'
import type { Format, Reading, ReadingTerms } from '../formats/format.ts'
import { isObject, objectAt, textAt, type Fields } from '../parsing/json-document.ts'
import { idOf, isHostName, factsOf, nameAt, told } from './values.ts'
import { jsonReadings, readingOf, type FieldNames, type InventoryItem } from './inventory-item.ts'

/**
 * What the API of Snipe-IT answers to `GET /api/v1/hardware` and `GET /api/v1/users`, in the shape of its
 * AssetsTransformer and UsersTransformer (version 6 to 8). Texts come with HTML entities.
 */
export const snipeIt: Format = {
  kind: 'snipe-it',
  sourceName: 'Snipe-IT import',
  isInventory: true,
  recognises: (head) =>
    /^\s*\{\s*"total"\s*:\s*\d+\s*,\s*"rows"\s*:/.test(head) ||
    (/^\s*[[{]/.test(head) && /"asset_tag"\s*:/.test(head) && /"status_label"\s*:/.test(head)) ||
    (/^\s*[[{]/.test(head) && /"username"\s*:/.test(head) && /"employee_num"\s*:/.test(head)),
  read: readSnipeIt,
}

const isHardware = (value: Fields): boolean => 'asset_tag' in value && 'serial' in value
const isUser = (value: Fields): boolean => 'username' in value && 'first_name' in value

async function* readSnipeIt(
  content: AsyncIterable<Buffer>,
  terms: ReadingTerms,
): AsyncIterable<readonly Reading[]> {
  const snipe = {
    listKey: 'rows',
    product: 'list of hardware or users of Snipe-IT',
    isItem: (value: Fields) => isHardware(value) || isUser(value),
  }
  yield* jsonReadings(content, snipe, (line, escaped) => {
    const value = unescaped(escaped) as Fields
    const item = isHardware(value) ? hardware(value, terms) : user(value)
    const deletedAt = textAt(objectAt(value, 'deleted_at'), 'datetime')
    if (deletedAt !== undefined)
      return { line, field: 'deleted_at', message: `was deleted in Snipe-IT on ${deletedAt} (${item.key})` }
    return readingOf(line, item, { now: terms.now, names })
  })
}

const names: FieldNames = {
  name: 'name',
  ipAddress: 'custom_fields',
  macAddress: 'custom_fields',
  owner: 'assigned_to',
  site: 'location',
  state: 'status_label',
  purchasedOn: 'purchase_date',
  price: 'purchase_cost',
  supplier: 'supplier',
  orderNumber: 'order_number',
  warrantyEnds: 'warranty_expires',
  replaceOn: 'asset_eol_date',
}

function hardware(value: Fields, { currency }: ReadingTerms): InventoryItem {
  const tag = textAt(value, 'asset_tag')
  const assigned = objectAt(value, 'assigned_to')
  const isPerson = assigned['type'] === 'user'
  const status = objectAt(value, 'status_label')
  const price = currency === undefined ? undefined : amountIn(textAt(value, 'purchase_cost'))
  const custom = customFields(objectAt(value, 'custom_fields'))
  return {
    key: `hardware:${idOf(value)}`,
    row: told({
      name: textAt(value, 'name') ?? tag ?? `hardware ${idOf(value)}`,
      serial: textAt(value, 'serial'),
      macAddress: custom.mac,
      ipAddress: custom.ip,
      hostname: custom.host,
      owner: isPerson ? (textAt(assigned, 'email') ?? textAt(assigned, 'name')) : undefined,
      site: nameAt(value, 'location') ?? nameAt(value, 'rtd_location'),
      state: stateOf(status),
      purchasedOn: textAt(objectAt(value, 'purchase_date'), 'date'),
      price,
      currency: price === undefined ? undefined : currency,
      supplier: nameAt(value, 'supplier'),
      orderNumber: textAt(value, 'order_number'),
      warrantyEnds: textAt(objectAt(value, 'warranty_expires'), 'date'),
      replaceOn: textAt(objectAt(value, 'asset_eol_date'), 'date') ?? textAt(objectAt(value, 'eol'), 'date'),
      notes: textAt(value, 'notes'),
    }),
    more: {
      ...told({ vendor: nameAt(value, 'manufacturer'), model: nameAt(value, 'model') }),
      ...factsOf({
        assetTag: tag,
        category: nameAt(value, 'category'),
        company: nameAt(value, 'company'),
        modelNumber: textAt(value, 'model_number'),
        status: textAt(status, 'name'),
        assignedTo: isPerson ? textAt(assigned, 'username') : textAt(assigned, 'name'),
        lastAudit: textAt(objectAt(value, 'last_audit_date'), 'datetime'),
        customFields: custom.others,
      }),
    },
  }
}

/** A person, as an asset of type user. */
function user(value: Fields): InventoryItem {
  const username = textAt(value, 'username')
  return {
    key: `user:${idOf(value)}`,
    row: told({
      name: textAt(value, 'name') ?? username ?? `user ${idOf(value)}`,
      assetType: 'user',
      department: nameAt(value, 'department'),
      site: nameAt(value, 'location'),
    }),
    more: factsOf({
      username,
      email: textAt(value, 'email'),
      employeeNumber: textAt(value, 'employee_num'),
      title: textAt(value, 'jobtitle'),
      company: nameAt(value, 'company'),
    }),
  }
}

/** Labels are the operator's own words; what they mean stands in `status_meta`, as far as Snipe-IT knows. */
function stateOf(status: Fields): string | undefined {
  const label = textAt(status, 'name') ?? ''
  const meta = textAt(status, 'status_meta') ?? textAt(status, 'status_type')
  if (/lost|stolen/i.test(label)) return 'lost'
  if (/repair|diagnostic/i.test(label)) return 'in_repair'
  if (meta === 'deployed') return 'in_use'
  if (meta === 'deployable') return 'in_stock'
  if (meta === 'archived') return 'retired'
  return meta === 'pending' && /order/i.test(label) ? 'ordered' : undefined
}

/** `1,299.00` and `1.299,00` alike: the last sign with one or two digits behind it begins the cents. */
function amountIn(text: string | undefined): string | undefined {
  const [, whole = '', cents = ''] = /^([\d.,\s]*?)(?:[.,](\d{1,2}))?$/.exec(text?.trim() ?? '') ?? []
  const digits = whole.replace(/\D/g, '')
  return digits === '' ? undefined : `${digits}.${cents.padEnd(2, '0')}`
}

interface CustomFields {
  readonly mac?: string | undefined
  readonly ip?: string | undefined
  readonly host?: string | undefined
  readonly others?: Readonly<Record<string, string>> | undefined
}

/** Fields say of which format they are; what is encrypted is not told to the API and stands in capitals. */
function customFields(all: Fields): CustomFields {
  const others: [title: string, text: string][] = []
  const found: { mac?: string; ip?: string; host?: string } = {}
  for (const [title, field] of Object.entries(all).slice(0, CUSTOM_FIELDS_MAX)) {
    const text = isObject(field) ? textAt(field, 'value') : undefined
    if (text === undefined || !isObject(field) || text === ENCRYPTED) continue
    if (field['field_format'] === 'MAC') found.mac ??= text
    else if (field['field_format'] === 'IP') found.ip ??= text
    else if (/^host ?name$|^fqdn$/i.test(title) && isHostName(text)) found.host ??= text
    else others.push([title, shortened(text, VALUE_LENGTH_MAX)])
  }
  return { ...found, others: others.length === 0 ? undefined : Object.fromEntries(others) }
}

const CUSTOM_FIELDS_MAX = 100
const VALUE_LENGTH_MAX = 500
const ENCRYPTED = 'ENCRYPTED'

/** With the characters that HTML entities stand for, in every text. */
function unescaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(ENTITY, (entity) => entities[entity] ?? entity)
  if (Array.isArray(value)) return value.map(unescaped)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unescaped(each)]))
}

const ENTITY = /&(?:amp|lt|gt|quot|#0?39);/g
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#039;': "'",
  '&#39;': "'",
}
