import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject } from './json.ts'

const HASH_BYTES = 16

/**
 * What tells this host from a copy of its disk: digests of serial numbers, SMBIOS UUID, TPM, boot disk and the MAC addresses
 * that makers gave, each apart, so that one that is replaced leaves the others.
 */
export function fingerprintOf(sections: Readonly<Record<string, Json>>): JsonObject {
  const hardware = isObject(sections['hardware']) ? sections['hardware'] : {}
  const diskSection = isObject(sections['disks']) ? sections['disks'] : {}
  const disks = Array.isArray(diskSection['disks']) ? (diskSection['disks'] as unknown[]) : []
  const nics = Array.isArray(sections['nics']) ? (sections['nics'] as unknown[]) : []
  const parts: [string, unknown][] = [
    ['serial', hardware['serial']],
    ['uuid', hardware['uuid']],
    ['board', hardware['boardSerial']],
    ['tpm', hardware['tpmEk']],
    ['disk', disks.filter(isObject).find((it) => typeof it['serial'] === 'string')?.['serial']],
    ...nics.filter(isObject).map((it): [string, unknown] => [`mac ${String(it['name'])}`, macOf(it)]),
  ]
  return Object.fromEntries(
    parts.flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, digestOf(kindOf(name), value)]] : [],
    ),
  )
}

/** Bit 1 of the first byte: given by software, not by the maker. */
const macOf = ({ mac, isVirtual }: Record<string, unknown>): string | undefined =>
  typeof mac === 'string' && isVirtual !== true && (Number.parseInt(mac.slice(0, 2), 16) & 2) === 0
    ? mac
    : undefined

/** Without the name of an interface, which changes while the card stays. */
const kindOf = (name: string): string => name.split(' ', 1)[0] ?? name

const digestOf = (kind: string, value: string): string =>
  createHash('sha256')
    .update(`rollcall-agent-1\n${kind}\n${value}`)
    .digest()
    .subarray(0, HASH_BYTES)
    .toString('hex')
