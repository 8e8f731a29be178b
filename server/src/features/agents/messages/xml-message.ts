import { invalid, invalidBody } from '#platform/errors.ts'
import { parseElement, textAt, type XmlElement } from '#platform/formats/xml-tree.ts'
import { cleanList, cleanText, DEVICE_ID_LENGTH_MAX, ROWS_MAX, type Message, type Row } from './message.ts'

/** Tags of a document, counted before it is parsed into a tree of a multiple of its size. 10,000 packages have 200,000. */
const TAGS_MAX = 400_000
const LIST_LENGTH_MAX = 50
const DEPTH_MAX = 3
/** Nothing but what XML allows: agents pass on what stands in firmware and in package descriptions. */
const NO_CHARACTER = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const actions: ReadonlyMap<string, Message['action']> = new Map([
  ['PROLOG', 'prolog'],
  ['INVENTORY', 'inventory'],
  ['NETDISCOVERY', 'devices'],
  ['SNMPQUERY', 'devices'],
])

/** A message of the OCS protocol, which FusionInventory and older GLPI agents speak too. Refuses other queries by name. */
export function readXmlMessage(bytes: Buffer): Message {
  const request = parsed(bytes)
  const query = textAt(request, 'QUERY') ?? ''
  const action = actions.get(query)
  if (action === undefined) throw invalid('QUERY', `must be one of ${[...actions.keys()].join(', ')}`)
  const deviceId = cleanText(textAt(request, 'DEVICEID') ?? '')
  if (deviceId === '' || deviceId.length > DEVICE_ID_LENGTH_MAX)
    throw invalid('DEVICEID', `must have 1 to ${DEVICE_ID_LENGTH_MAX} characters`)
  const oldDeviceId = textAt(request, 'OLD_DEVICEID') ?? textAt(request, 'CONTENT', 'OLD_DEVICEID')
  const [element] = childrenOf(request['CONTENT'])
  if (action !== 'prolog' && !element) throw invalid('CONTENT', 'is required')
  const content = element ? contentOf(element) : new Map<string, readonly Row[]>()
  return {
    action,
    writtenIn: 'xml',
    deviceId,
    ...(oldDeviceId !== undefined && { oldDeviceId: cleanText(oldDeviceId) }),
    isPartial: false,
    itemType: 'Computer',
    tag: tagIn(content),
    content,
  }
}

/** Refuses documents that declare something, before they are parsed: nothing may expand. */
function parsed(bytes: Buffer): XmlElement {
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '')
    .trim()
  if (/<!(?!--|\[CDATA\[)/.test(text)) throw invalidBody('body: a document type is not taken')
  if (tagsIn(text) > TAGS_MAX) throw invalidBody(`body: has more than ${TAGS_MAX} tags`)
  let request: XmlElement
  try {
    request = parseElement(text.replaceAll(NO_CHARACTER, ' '))
  } catch {
    throw invalidBody('body: is not well-formed XML')
  }
  if (typeof request !== 'object') throw invalidBody('body: is not well-formed XML')
  return request
}

function tagsIn(text: string): number {
  let tags = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) tags += 1
  return tags
}

function contentOf(content: XmlElement): Map<string, readonly Row[]> {
  const categories = new Map<string, readonly Row[]>()
  let rows = 0
  for (const [name, value] of Object.entries(content)) {
    const items = childrenOf(value)
    if (items.length === 0) continue
    rows += items.length
    if (rows > ROWS_MAX) throw invalid(`CONTENT.${name.slice(0, 50)}`, `there are more than ${ROWS_MAX} rows`)
    categories.set(name.toLowerCase(), items.map(rowOf))
  }
  return categories
}

function rowOf(item: XmlElement): Row {
  const row = new Map<string, string>()
  addFields(row, '', item, 1)
  return row
}

function addFields(row: Map<string, string>, prefix: string, item: XmlElement, depth: number): void {
  for (const [name, value] of Object.entries(item)) {
    const children = childrenOf(value).slice(0, LIST_LENGTH_MAX)
    const [first] = children
    if (!first) continue
    const field = prefix + name.toLowerCase()
    row.set(field, cleanList(children.map((it) => (typeof it['#text'] === 'string' ? it['#text'] : ''))))
    if (depth < DEPTH_MAX) addFields(row, `${field}.`, first, depth + 1)
  }
}

function childrenOf(value: XmlElement[string] | undefined): readonly XmlElement[] {
  if (value === undefined || typeof value === 'string') return []
  return Array.isArray(value) ? (value as readonly XmlElement[]) : [value as XmlElement]
}

/** `ACCOUNTINFO` has a key and a value; the agents' option `tag` comes as TAG. */
function tagIn(content: ReadonlyMap<string, readonly Row[]>): string {
  const row = content.get('accountinfo')?.find((it) => it.get('keyname') === 'TAG')
  return row?.get('keyvalue') ?? ''
}
