import type { Row } from '../dataset/dataset.ts'
import type { OpenDataset, OpenSection } from '../dataset/open-dataset.ts'
import type { Detail } from './pdf-sheets.ts'

/** Reads the sections that belong to the rows of another beside it: all of them stand in the same order. */
export class DetailReader {
  readonly #section: OpenSection
  readonly #batches: AsyncIterator<readonly Row[]>
  #rows: readonly Row[] = []
  #at = 0

  constructor(section: OpenSection) {
    this.#section = section
    this.#batches = section.rows[Symbol.asyncIterator]()
  }

  /** For the ids in the order of the main section. */
  async of(id: string): Promise<Detail> {
    const rows: Row[] = []
    for (let row = await this.#next(); row?.[0] === id; row = await this.#next()) {
      rows.push(row)
      this.#at += 1
    }
    return { head: this.#section.head, rows }
  }

  async #next(): Promise<Row | undefined> {
    while (this.#at >= this.#rows.length) {
      const next = await this.#batches.next()
      if (next.done) return undefined
      this.#rows = next.value
      this.#at = 0
    }
    return this.#rows[this.#at]
  }
}

/** Of each of the sections named that the dataset has. */
export async function detailReaders(
  dataset: OpenDataset,
  names: readonly string[] = [],
): Promise<DetailReader[]> {
  const sections = await Promise.all(names.map((name) => dataset.section(name)))
  return sections.filter((it) => it !== undefined).map((it) => new DetailReader(it))
}
