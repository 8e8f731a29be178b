import { invalid, invalidBody } from '#platform/errors.ts'
import { cleanList, cleanText, DEVICE_ID_LENGTH_MAX, ROWS_MAX, type Message, type Row } from './message.ts'

const DEPTH_MAX = 3
const LIST_LENGTH_MAX = 50

const actions: ReadonlyMap<string, Message['action']> = new Map([
  ['contact', 'contact'],
  ['inventory', 'inventory'],
  ['netdiscovery', 'devices'],
  ['netinventory', 'devices'],
])

/** A message of the GLPI agent's protocol of 2022. Refuses other actions by name. */
export function readJsonMessage(bytes: Buffer): Message {
  const body = parsed(bytes)
  const action = actions.get(String(body['action']))
  if (action === undefined) throw invalid('action', `must be one of ${[...actions.keys()].join(', ')}`)
  const text = (field: string): string => (typeof body[field] === 'string' ? cleanText(body[field]) : '')
  const deviceId = text('deviceid')
  if (deviceId === '' || deviceId.length > DEVICE_ID_LENGTH_MAX)
    throw invalid('deviceid', `must have 1 to ${DEVICE_ID_LENGTH_MAX} characters`)
  if (action !== 'contact' && !isRecord(body['content'])) throw invalid('content', 'is required')
  const content = isRecord(body['content']) ? contentOf(body['content']) : new Map<string, readonly Row[]>()
  return {
    // an inventory of a network device says so by what it holds
    action: action === 'inventory' && content.has('network_device') ? 'devices' : action,
    writtenIn: 'json',
    deviceId,
    isPartial: body['partial'] === true,
    itemType: text('itemtype') || 'Computer',
    tag: text('tag'),
    content,
  }
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(bytes: Buffer): Fields {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw invalidBody('body: is not valid JSON')
  }
  if (!isRecord(body)) throw invalidBody('body: must be an object')
  return body
}

function contentOf(content: Fields): Map<string, readonly Row[]> {
  const categories = new Map<string, readonly Row[]>()
  let rows = 0
  for (const [name, value] of Object.entries(content)) {
    const items = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isRecord)
    rows += items.length
    if (rows > ROWS_MAX) throw invalid(`content.${name.slice(0, 50)}`, `there are more than ${ROWS_MAX} rows`)
    categories.set(name.toLowerCase(), items.map(rowOf))
  }
  return categories
}

function rowOf(item: Fields): Row {
  const row = new Map<string, string>()
  addFields(row, '', item, 1)
  return row
}

function addFields(row: Map<string, string>, prefix: string, item: Fields, depth: number): void {
  for (const [name, value] of Object.entries(item)) {
    const field = prefix + name.toLowerCase()
    if (isRecord(value) && depth < DEPTH_MAX) addFields(row, `${field}.`, value, depth + 1)
    const text = textOf(value)
    if (text !== undefined) row.set(field, text)
  }
}

/** Numbers and truth values as texts, as the XML of the same agents has them. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (!Array.isArray(value)) return undefined
  const texts = (value as unknown[]).slice(0, LIST_LENGTH_MAX).filter((it) => typeof it === 'string')
  return texts.length === 0 ? undefined : cleanList(texts)
}
