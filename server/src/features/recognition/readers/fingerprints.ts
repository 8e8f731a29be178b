import { sourceOfKeys } from './fingerprint-keys.ts'
import type { Signals, Text, TextSource } from '../signals.ts'

/** What is read of a fingerprint at most; the rest is passed over. */
const LEAVES_MAX = 256
const DEPTH_MAX = 8
const KEY_LENGTH_MAX = 64
const LIST_LENGTH_MAX = 2_048

/**
 * Reads what scanners collect, whatever they call it: any nesting of objects, lists and texts, keys in any spelling
 * (`snmp.sysDescr`, `sys_descr`, `http: { server }`, `ports: [{ port: 22, banner }]`). `stranger` is what a text
 * under a key that says nothing is taken for; without it, such texts are passed over.
 */
export function signalsIn(fingerprint: Readonly<Record<string, unknown>>, stranger?: TextSource): Signals {
  const found: Found = { ports: [], dhcpOptions: [], texts: [], said: {} }
  const protocol = typeof fingerprint['protocol'] === 'string' ? squeezed(fingerprint['protocol']) : ''
  const leaves = leavesOf(fingerprint)
  for (const leaf of leaves) read(leaf, found, sourceOfKeys(protocol) ?? stranger)
  found.texts.push(...productsBesideMakers(leaves))
  const { ports, dhcpOptions, texts, said, bacnetVendor } = found
  return {
    ...said,
    ...(bacnetVendor !== undefined && { bacnetVendor }),
    ...(ports.length > 0 && { ports }),
    ...(dhcpOptions.length > 0 && { dhcpOptions }),
    ...(texts.length > 0 && { texts }),
  }
}

/** A text or a number, and the keys that lead to it: letters and digits only, lower case; empty in lists. */
interface Leaf {
  readonly path: readonly string[]
  readonly value: string | number
  /** The object or list that holds it. */
  readonly within?: object | undefined
}

function leavesOf(root: unknown): Leaf[] {
  const leaves: Leaf[] = []
  const walk = (value: unknown, path: readonly string[], within?: object): void => {
    if (leaves.length >= LEAVES_MAX || path.length > DEPTH_MAX) return
    if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) {
      leaves.push({ path, value, within })
    } else if (Array.isArray(value)) {
      for (const each of value.slice(0, LEAVES_MAX)) walk(each, [...path, ''], value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value).slice(0, LEAVES_MAX))
        walk(each, [...path, squeezed(key)], value)
    }
  }
  walk(root, [])
  return leaves
}

const squeezed = (key: string): string =>
  key
    .slice(0, KEY_LENGTH_MAX)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

interface Found {
  readonly ports: number[]
  readonly dhcpOptions: number[]
  readonly texts: Text[]
  bacnetVendor?: number
  readonly said: { [field in Said | 'sysObjectId']?: string }
}

function read({ path, value }: Leaf, found: Found, stranger: TextSource | undefined): void {
  const keys = path.join(' ')
  const key = path.findLast((each) => each !== '') ?? ''
  const said = path.length === 1 ? saidBy[key] : undefined
  if (said) found.said[said] ??= String(value)
  else if (/option55|parameterrequestlist|requestedoptions|dhcpfingerprint|dhcpoptions/.test(keys))
    found.dhcpOptions.push(...numbersIn(value).filter((option) => option < 256))
  else if (/sysobjectid|sysoid|objectid|objid/.test(key)) found.said.sysObjectId ??= String(value)
  else if (bacnetVendorKeys.test(keys) && numberOf(value) !== undefined)
    found.bacnetVendor ??= numberOf(value)!
  else if (/^(open|tcp|udp)*ports?$/.test(key)) found.ports.push(...numbersIn(value).filter(isPort))
  else if (typeof value === 'string') {
    // `ports: { "9100": "…" }`
    found.ports.push(
      ...path
        .filter((each) => /^\d{1,5}$/.test(each))
        .map(Number)
        .filter(isPort),
    )
    const source = sourceOfKeys(keys) ?? stranger
    if (source) found.texts.push({ source, text: value, ...(isMaker({ path }) && { isMaker: true }) })
  }
}

/**
 * Protocols tell the maker and the product in fields of their own (Modbus, BACnet, UPnP): a model number means something
 * beside its maker only, so both are read together too.
 */
function productsBesideMakers(leaves: readonly Leaf[]): Text[] {
  return leaves.filter(isMaker).flatMap((maker) => {
    const source = sourceOfKeys(maker.path.join(' '))
    const products = leaves
      .filter(({ path, within }) => within === maker.within && productKeys.has(path.at(-1) ?? ''))
      .slice(0, PRODUCTS_MAX)
    return source === undefined
      ? []
      : products.map(({ value }) => ({ source, text: `${maker.value} ${value}` }))
  })
}

const isMaker = ({ path }: Pick<Leaf, 'path'>): boolean => path.length > 1 && makerKeys.has(path.at(-1) ?? '')

const makerKeys = new Set(['vendor', 'vendorname', 'manufacturer', 'manufacturername', 'mfg', 'mfr', 'make'])
const productKeys = new Set(
  'model modelname modelnumber modeldescription product productname productcode mdl orderid ordernumber'.split(
    ' ',
  ),
)
const PRODUCTS_MAX = 4

/** ASHRAE's number of the maker; `vendor_id` of other protocols is another list's. */
const bacnetVendorKeys = /bacnet.*vendor(id|identifier|number)$/

const numberOf = (value: string | number): number | undefined =>
  /^\d{1,5}$/.test(String(value).trim()) ? Number(value) : undefined

type Said = 'vendor' | 'model' | 'hostname' | 'mac' | 'ip'

/** Keys of the outermost object that speak of the device as a whole. */
const saidBy: Readonly<Record<string, Said | undefined>> = {
  vendor: 'vendor',
  manufacturer: 'vendor',
  make: 'vendor',
  model: 'model',
  modelname: 'model',
  product: 'model',
  hostname: 'hostname',
  host: 'hostname',
  sysname: 'hostname',
  mac: 'mac',
  macaddress: 'mac',
  ip: 'ip',
  ipaddress: 'ip',
}

const isPort = (port: number): boolean => port > 0 && port <= 65_535

/** `9100`, `9100/tcp` and lists of them. */
const numbersIn = (value: string | number): number[] =>
  (
    String(value)
      .slice(0, LIST_LENGTH_MAX)
      .match(/\b\d{1,5}\b/g) ?? []
  ).map(Number)
