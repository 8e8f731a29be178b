import type { Row, Source } from './table.ts'
import { table } from './table.ts'
import { given, line, number } from '../protocol/textual-conventions.ts'

/** Printer-MIB (RFC 3805). */
export interface Printer {
  readonly serial?: string
  readonly name?: string
  /** Impressions over its life. */
  readonly pages?: number
  readonly supplies: readonly Supply[]
}

export interface Supply {
  readonly name: string
  /** 0 to 100; absent where the printer does not know or gives no capacity. */
  readonly percent?: number
}

const general = table('prtGeneralTable', '1.3.6.1.2.1.43.5.1.1', { name: 16, serial: 17 }, 64)
const marker = table('prtMarkerTable', '1.3.6.1.2.1.43.10.2.1', { unit: 3, count: 4 }, 64)
const supplies = table(
  'prtMarkerSuppliesTable',
  '1.3.6.1.2.1.43.11.1.1',
  { name: 6, capacity: 8, level: 9 },
  256,
)

const IMPRESSIONS = 7

/** Undefined: it is no printer. */
export async function readPrinter(source: Source): Promise<Printer | undefined> {
  const [first] = await source.rows(general)
  if (!first) return undefined
  const counts = (await source.rows(marker)).map((row) => row.cells)
  const count = counts.find((it) => number(it.unit) === IMPRESSIONS) ?? counts[0]
  return {
    ...given({
      serial: line(first.cells.serial),
      name: line(first.cells.name),
      pages: number(count?.count),
    }),
    supplies: (await source.rows(supplies)).flatMap(supplyOf),
  }
}

/** Negative numbers say "other", "unknown" and "some". */
function supplyOf({ cells }: Row<'name' | 'capacity' | 'level'>): Supply[] {
  const name = line(cells.name)
  const capacity = number(cells.capacity) ?? 0
  const level = number(cells.level) ?? -1
  if (name === undefined) return []
  const percent = capacity > 0 && level >= 0 ? Math.min(100, Math.round((level / capacity) * 100)) : undefined
  return [{ name, ...given({ percent }) }]
}
