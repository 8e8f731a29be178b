import { promises as dns } from 'node:dns'
import { isHostName } from './host-names.ts'

const TIMEOUT_MS = 900
/** After this many questions in a row without any answer the name servers are taken for absent. */
const SILENCES_MAX = 8
const SILENT = new Set(['ETIMEOUT', 'ECONNREFUSED', 'EREFUSED', 'ESERVFAIL'])

/** Asks the name servers for the names of addresses, and stops asking when nobody answers. */
export class ReverseDns {
  readonly #resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  readonly #isSystems: boolean
  #silences = 0

  /** `servers` as `address` or `address:port`; absent: those of the system. */
  constructor(servers?: readonly string[]) {
    this.#isSystems = servers === undefined
    if (servers) this.#resolver.setServers(servers)
  }

  get isSilent(): boolean {
    return this.#silences >= SILENCES_MAX
  }

  async nameOf(address: string): Promise<string | undefined> {
    // Questions about the loopback stay on the machine (RFC 6303, 4.2).
    if (this.#isSystems && isLoopback(address)) return undefined
    try {
      const names = await this.#resolver.reverse(address)
      this.#silences = 0
      return names.toSorted().find(isHostName)?.toLowerCase()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      this.#silences = SILENT.has(code ?? '') ? this.#silences + 1 : 0
      return undefined
    }
  }

  close(): void {
    this.#resolver.cancel()
  }
}

const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1'
