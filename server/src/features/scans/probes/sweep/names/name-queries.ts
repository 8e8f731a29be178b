import { Datagrams } from './udp-queries.ts'
import { Mdns } from './mdns.ts'
import { netbios, type NodeStatus } from './netbios.ts'
import { ReverseDns } from './reverse-dns.ts'
import { ssdp, SSDP_GROUP, type SsdpAnswer } from './ssdp.ts'
import type { TouchCounter } from '../../touches/touch-counter.ts'

/** The names of a host from DNS, mDNS and NetBIOS, and its SSDP response. */
export interface NameAnswers {
  readonly dns: string | undefined
  readonly mdns: string | undefined
  readonly netbios: NodeStatus | undefined
  readonly ssdp: SsdpAnswer | undefined
}

/** Waits until one packet may be sent: to the host itself, or to another machine. */
export interface SendSlots {
  readonly toHost: () => Promise<void>
  readonly toOthers: () => Promise<void>
}

const ANSWER_MS = 800

/** Name queries for every live host, over sockets that all hosts share. */
export class NameQueries {
  readonly #dns: ReverseDns
  readonly #mdns: Mdns
  /** NetBIOS and SSDP are asked over IPv4 only. */
  readonly #ipv4:
    | { readonly netbios: Datagrams<NodeStatus>; readonly ssdp: Datagrams<SsdpAnswer> }
    | undefined

  constructor(family: 4 | 6, dnsServers?: readonly string[], touches?: TouchCounter) {
    const onSent = (address: string): void => touches?.count(address, { packets: 1, probes: 1 })
    this.#dns = new ReverseDns(dnsServers)
    this.#mdns = new Mdns(family, onSent)
    this.#ipv4 =
      family === 4
        ? { netbios: new Datagrams(netbios, onSent), ssdp: new Datagrams(ssdp, onSent) }
        : undefined
  }

  /** Sends the multicast queries, once per link. */
  async askLinks(links: readonly string[], acquire: () => Promise<void>): Promise<void> {
    for (const link of links) {
      await acquire()
      await this.#ipv4?.ssdp.askGroup(SSDP_GROUP, link)
    }
  }

  /** Sends all questions, one packet each, then answers with what comes back within a second. */
  async ask(address: string, slots: SendSlots): Promise<() => Promise<NameAnswers>> {
    const dns = this.#dns.isSilent ? undefined : await sent(slots.toOthers, () => this.#dns.nameOf(address))
    const mdns = await sent(slots.toHost, () => this.#mdns.ask(address, ANSWER_MS))
    const netbios =
      this.#ipv4 && (await sent(slots.toHost, () => this.#ipv4?.netbios.ask(address, ANSWER_MS)))
    const ssdp = this.#ipv4 && (await sent(slots.toHost, () => this.#ipv4?.ssdp.ask(address, ANSWER_MS)))
    return async () => ({
      dns: await dns?.answer,
      mdns: await mdns.answer,
      netbios: await netbios?.answer,
      ssdp: await ssdp?.answer,
    })
  }

  close(): void {
    this.#dns.close()
    this.#mdns.close()
    this.#ipv4?.netbios.close()
    this.#ipv4?.ssdp.close()
  }
}

/** Wrapped in an object, so that awaiting the slot does not await the answer. */
async function sent<T>(acquire: () => Promise<void>, ask: () => T): Promise<{ readonly answer: T }> {
  await acquire()
  return { answer: ask() }
}
