import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** One line of the kernel's neighbour table (ARP for IPv4, neighbour discovery for IPv6). */
export interface Neighbour {
  readonly mac: string
  /** It proved to be there within the last minute; otherwise the kernel only remembers it. */
  readonly isFresh: boolean
}

export type NeighbourTable = ReadonlyMap<string, Neighbour>
/**
 * Reads the table for one network; `undefined` when this machine cannot. Without ages nothing is known to be fresh, and it
 * may cost no process.
 */
export type ReadTable = (withAges: boolean) => Promise<NeighbourTable | undefined>

const POLL_MS = 70
/** How long a machine that was seen counts as there without asking again. */
const FRESH_SECONDS = 60
const NO_MAC = '00:00:00:00:00:00'

/**
 * Watches the neighbour table while probes are under way: to send anything to an address on the local link the
 * kernel must resolve it first, so a machine that drops every packet still shows itself there.
 */
export class Neighbours {
  readonly #read: ReadTable
  readonly #signal: AbortSignal
  readonly #before: NeighbourTable
  readonly #waiting = new Map<string, (neighbour: Neighbour) => void>()
  #table: NeighbourTable
  #watching = false

  private constructor(read: ReadTable, before: NeighbourTable, signal: AbortSignal) {
    this.#read = read
    this.#before = before
    this.#table = before
    this.#signal = signal
  }

  /** `undefined` when the table cannot be read here. */
  static async open(read: ReadTable, signal: AbortSignal): Promise<Neighbours | undefined> {
    const before = await read(true).catch(() => undefined)
    return before && new Neighbours(read, before, signal)
  }

  /** The kernel remembered this address when the watch began and may need seconds to find out that it is gone. */
  isRemembered(address: string): boolean {
    return this.#before.get(address)?.isFresh === false
  }

  /** Calls back once, when the address proves to be there; answers how to stop waiting for it. */
  watch(address: string, appeared: (neighbour: Neighbour) => void): () => void {
    this.#waiting.set(address, appeared)
    void this.#poll()
    return () => this.#waiting.delete(address)
  }

  /** Asked long after a remembered address was probed: the kernel drops those that do not answer. */
  async remains(address: string): Promise<boolean> {
    await this.#refresh()
    return this.#table.has(address)
  }

  async macOf(address: string): Promise<string | undefined> {
    if (!this.#table.has(address)) await this.#refresh()
    return this.#table.get(address)?.mac
  }

  async #poll(): Promise<void> {
    if (this.#watching) return
    this.#watching = true
    while (this.#waiting.size > 0 && !this.#signal.aborted) {
      await sleep(POLL_MS)
      // of one that was not there when the watch began it is enough that it is there
      await this.#refresh([...this.#waiting.keys()].some((address) => this.#before.has(address)))
      for (const [address, appeared] of this.#waiting) this.#tell(address, appeared)
    }
    this.#watching = false
  }

  async #refresh(withAges = false): Promise<void> {
    this.#table = (await this.#read(withAges).catch(() => undefined)) ?? this.#table
  }

  #tell(address: string, appeared: (neighbour: Neighbour) => void): void {
    const neighbour = this.#table.get(address)
    if (!neighbour || (this.#before.has(address) && !neighbour.isFresh)) return
    this.#waiting.delete(address)
    appeared(neighbour)
  }
}

/** The table from `ip neigh` (iproute2), and from `/proc/net/arp`, which has IPv4 only and no ages, where that is enough. */
export const readNeighbours =
  (cidr: string): ReadTable =>
  async (withAges) => {
    return (withAges ? undefined : await readArp(cidr)) ?? (await readIpNeigh(cidr)) ?? readArp(cidr)
  }

async function readIpNeigh(cidr: string): Promise<NeighbourTable | undefined> {
  const text = await ip('-s', '-j', 'neigh', 'show', 'to', cidr)
  return text === undefined ? undefined : parseIpNeigh(text)
}

async function readArp(cidr: string): Promise<NeighbourTable | undefined> {
  if (cidr.includes(':')) return undefined
  const text = await readFile('/proc/net/arp', 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parseProcArp(text)
}

/**
 * Has the kernel ask again for neighbours that it has not heard from of late, instead of first waiting for a sign
 * of them. Only a privileged process may; for others finding out takes some seconds longer.
 */
export const forgetStale = (cidr: string): Promise<unknown> =>
  ip('neigh', 'flush', 'to', cidr, 'nud', 'stale')

/** The answer of `ip -s -j neigh`. Lines without an address of the link layer are attempts, not neighbours. */
export function parseIpNeigh(text: string): NeighbourTable {
  const table = new Map<string, Neighbour>()
  for (const line of parseList(text)) {
    const { dst, lladdr, confirmed } = line
    const states = Array.isArray(line['state']) ? line['state'] : []
    if (
      typeof dst !== 'string' ||
      !isMac(lladdr) ||
      states.includes('FAILED') ||
      states.includes('PERMANENT')
    )
      continue
    const isFresh =
      states.includes('REACHABLE') || (typeof confirmed === 'number' && confirmed <= FRESH_SECONDS)
    table.set(dst, { mac: lladdr, isFresh })
  }
  return table
}

const COMPLETE = 0x2
const PERMANENT = 0x4

/** `/proc/net/arp`: address, hardware type, flags, hardware address, mask, device. */
export function parseProcArp(text: string): NeighbourTable {
  const table = new Map<string, Neighbour>()
  for (const line of text.split('\n').slice(1)) {
    const [address = '', , flags, mac] = line.split(/\s+/)
    if ((Number(flags) & (COMPLETE | PERMANENT)) !== COMPLETE || !isMac(mac)) continue
    table.set(address, { mac, isFresh: false })
  }
  return table
}

const isMac = (value: unknown): value is string =>
  typeof value === 'string' && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value) && value !== NO_MAC

function parseList(text: string): Readonly<Record<string, unknown>>[] {
  if (text.trim() === '') return []
  const parsed: unknown = JSON.parse(text)
  return Array.isArray(parsed) ? parsed : []
}

/** What the command prints, wherever it is installed; `undefined` when it fails or is missing. */
async function ip(...args: string[]): Promise<string | undefined> {
  const run = promisify(execFile)
  for (const command of ['ip', '/usr/sbin/ip', '/sbin/ip']) {
    const output = await run(command, args, { maxBuffer: 64 * 1024 * 1024, timeout: 5000 }).catch(
      () => undefined,
    )
    if (output) return output.stdout
  }
  return undefined
}
