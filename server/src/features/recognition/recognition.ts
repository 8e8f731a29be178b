import { permit, type Ctx } from '#platform/context.ts'
import { invalid, invalidBody } from '#platform/errors.ts'
import { readBacnetVendor } from './readers/bacnet-vendor.ts'
import { parseIp, readIp, readMac } from './readers/mac-and-ip.ts'
import { deviceTypes, type DeviceType } from './device-types.ts'
import { readDhcpOptions } from './readers/dhcp-options.ts'
import { signalsIn } from './readers/fingerprints.ts'
import { readHint } from './readers/hints.ts'
import { parseMac } from './mac.ts'
import { readPorts } from './readers/open-ports.ts'
import { nodeNameIn, readText, TEXT_MAX } from './readers/device-text.ts'
import type { Hears } from './rules.ts'
import { weigh, type Recognition } from './scoring.ts'
import type { Evidence, Signals, Text } from './signals.ts'
import { readSysObjectId } from './readers/sys-object-id.ts'

export { deviceTypes, type DeviceType } from './device-types.ts'
export { doubtsAbout, doubts, type Doubt } from './doubts.ts'
export { signalsOf } from './readers/observation-signals.ts'
export { type Match, type Recognition } from './scoring.ts'
export { type Signals } from './signals.ts'

/** Recognition: the type, vendor and model of a device from its network signals alone. Pure; fast enough for every intake. */
export function recognize(signals: Signals, hears?: Hears): Recognition {
  return weigh(evidenceIn(signals, hears))
}

/** What a caller sends, with the names of the contract's fields. */
export interface Question {
  readonly macAddress?: string | undefined
  readonly ipAddress?: string | undefined
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly hostname?: string | undefined
  readonly fingerprints?: Fingerprint | undefined
}
export type Fingerprint = Readonly<Record<string, unknown>>

/** Throws `invalid_request` unless an address or a fingerprint is given; the rest refines. */
export function recognizeDevice(ctx: Ctx, question: Question): Recognition {
  permit(ctx, 'recognition:read')
  const told = signalsIn(question.fingerprints ?? {}, 'banner')
  const asked = defined({
    mac: macAddress(question.macAddress),
    ip: ipAddress(question.ipAddress),
    vendor: short('vendor', question.vendor),
    model: short('model', question.model),
    hostname: short('hostname', question.hostname),
  })
  const isTold = Object.keys(question.fingerprints ?? {}).length > 0
  if (asked.mac === undefined && asked.ip === undefined && !isTold) {
    throw invalidBody('at least one of mac_address, ip_address and fingerprints is required')
  }
  return recognize({ ...told, ...asked })
}

export function recognizeMac(ctx: Ctx, text: string): Recognition {
  permit(ctx, 'recognition:read')
  const mac = macAddress(text)
  if (mac === undefined) throw invalid('mac_address', REQUIRED)
  return recognize({ mac })
}

/** An IP address alone is weak evidence, so the confidence is low. */
export function recognizeIp(ctx: Ctx, text: string): Recognition {
  permit(ctx, 'recognition:read')
  const ip = ipAddress(text)
  if (ip === undefined) throw invalid('ip_address', REQUIRED)
  return recognize({ ip })
}

export function recognizeFingerprint(ctx: Ctx, fingerprint: Fingerprint): Recognition {
  permit(ctx, 'recognition:read')
  if (Object.keys(fingerprint).length === 0) throw invalid('fingerprint', 'must hold at least one attribute')
  return recognize(signalsIn(fingerprint, 'banner'))
}

export function listDeviceTypes(ctx: Ctx): readonly DeviceType[] {
  permit(ctx, 'recognition:read')
  return deviceTypes
}

/** Longer texts are not read to the end; the same limit holds for many of them together. */
const LETTERS_MAX = 32_768
const TEXTS_MAX = 64

function evidenceIn(signals: Signals, hears: Hears | undefined): Evidence[] {
  const { mac, ip, sysObjectId, bacnetVendor, dhcpOptions, ports } = signals
  const texts = withinReason(signals.texts ?? [])
  const hostname = signals.hostname ?? texts.map(({ text }) => nodeNameIn(text)).find(Boolean)
  return [
    ...texts.map((text) => readText(text, hears)),
    sysObjectId === undefined ? undefined : readSysObjectId(sysObjectId),
    bacnetVendor === undefined ? undefined : readBacnetVendor(bacnetVendor),
    dhcpOptions && readDhcpOptions(dhcpOptions),
    ports && readPorts(ports),
    hostname === undefined ? undefined : readText({ source: 'hostname', text: firstLabel(hostname) }, hears),
    // before the MAC address: who registered that may have made no more than the network part
    readHint(signals),
    mac === undefined ? undefined : readMac(mac),
    ip === undefined ? undefined : readIp(ip),
  ].filter((evidence) => evidence !== undefined)
}

function withinReason(texts: readonly Text[]): Text[] {
  let left = LETTERS_MAX
  return texts.slice(0, TEXTS_MAX).map((each) => {
    const read = each.text.slice(0, Math.min(left, TEXT_MAX))
    left -= read.length
    return { ...each, text: read }
  })
}

/** What stands behind the first dot names the network. */
const firstLabel = (hostname: string): string => hostname.split('.', 1)[0] ?? ''

const REQUIRED = 'is required'
/** In characters, as JSON Schema counts them. */
export const TEXT_LENGTH_MAX = 1_024

function macAddress(text: string | undefined): string | undefined {
  const mac = short('mac_address', text)
  if (mac !== undefined && (mac !== text || !parseMac(mac)))
    throw invalid('mac_address', 'is not a MAC address of six octets')
  return mac
}

function ipAddress(text: string | undefined): string | undefined {
  const ip = short('ip_address', text)
  if (ip !== undefined && (ip !== text || !parseIp(ip)))
    throw invalid('ip_address', 'is not an IPv4 or IPv6 address')
  return ip
}

/** Blank means not given. */
function short(field: string, text: string | undefined): string | undefined {
  if (text !== undefined && Array.from(text).length > TEXT_LENGTH_MAX)
    throw invalid(field, `is longer than ${TEXT_LENGTH_MAX} characters`)
  return text?.trim() || undefined
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
