/** What a drawing shows of the things of a network. */
export interface NetworkNode {
  readonly name: string
  /** Type of device or asset; null: it is no asset of the inventory. */
  readonly type: string | null
  /** Null: not known. */
  readonly site: string | null
}

/** Things and what connects them, each pair once. */
export class Network {
  readonly nodes = new Map<string, NetworkNode>()
  readonly links: [string, string][] = []
  readonly #known = new Set<string>()

  add(a: readonly [string, NetworkNode], b: readonly [string, NetworkNode]): void {
    for (const [id, node] of [a, b]) if (!this.nodes.has(id)) this.nodes.set(id, node)
    const [one, other] = a[0] < b[0] ? [a[0], b[0]] : [b[0], a[0]]
    if (one === other || this.#known.has(`${one} ${other}`)) return
    this.#known.add(`${one} ${other}`)
    this.links.push([one, other])
  }

  /** By name, then id, so that a drawing does not depend on the order of links. */
  neighbours(): Map<string, string[]> {
    const found = new Map<string, string[]>(this.#sorted([...this.nodes.keys()]).map((id) => [id, []]))
    for (const [a, b] of this.links) {
      found.get(a)?.push(b)
      found.get(b)?.push(a)
    }
    for (const ids of found.values()) this.#sorted(ids)
    return found
  }

  #sorted(ids: string[]): string[] {
    const key = (id: string) => `${this.nodes.get(id)?.name ?? ''} ${id}`
    const keys = new Map(ids.map((id) => [id, key(id)]))
    return ids.sort((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1))
  }
}
