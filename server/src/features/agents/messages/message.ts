import type { AgentKind } from '../agent.ts'

/** One row of a category: texts by field, in lower case; a field inside another is `timezone.offset`. */
export type Row = ReadonlyMap<string, string>
/** Rows by category, in lower case. A category that is absent was not told; one that is present is complete. */
export type Content = ReadonlyMap<string, readonly Row[]>

/** What an agent of the GLPI, FusionInventory or OCS family sends, whichever way it is written. */
export interface Message {
  /**
   * `prolog` and `contact` ask what is to be done; an inventory may come without either. `devices`: what the agent's network
   * discovery or inventory by SNMP saw.
   */
  readonly action: 'prolog' | 'contact' | 'inventory' | 'devices'
  readonly writtenIn: 'json' | 'xml'
  readonly deviceId: string
  /** OCS: the id that it had before its network cards changed. */
  readonly oldDeviceId?: string
  /** GLPI: categories that did not change are left out. */
  readonly isPartial: boolean
  /** GLPI: Computer, NetworkEquipment, Printer and so on. */
  readonly itemType: string
  readonly tag: string
  readonly content: Content
}

/** An inventory of one host, as it is mapped to an observation. */
export interface Inventory extends Pick<
  Message,
  'deviceId' | 'oldDeviceId' | 'isPartial' | 'itemType' | 'tag' | 'content'
> {
  readonly kind: AgentKind
  /** Of a host that showed a key of its own; else it is found by its device id. */
  readonly agentId?: string
  /** Of the agent. */
  readonly version: string
}

/** Rows of all categories together; no real host has more. */
export const ROWS_MAX = 50_000
export const DEVICE_ID_LENGTH_MAX = 255
const TEXT_LENGTH_MAX = 1_024

/** Several values as one text, commas between them: as many as fit whole, so that no address becomes another. */
export function cleanList(texts: readonly string[]): string {
  const [first = '', ...others] = texts.map(cleanText).filter((it) => it !== '')
  let list = first
  for (const text of others) {
    if (list.length + 1 + text.length > TEXT_LENGTH_MAX) break
    list += `,${text}`
  }
  return list
}

/** One line that PostgreSQL can store. */
export const cleanText = (text: string): string =>
  text
    .slice(0, TEXT_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
