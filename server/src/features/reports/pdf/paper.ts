import type { PageSize } from './pdf-page.ts'

/** The pages that a report is printed on. */
export interface Paper {
  readonly portrait: PageSize
  readonly landscape: PageSize
  /** For drawings that would not be legible on the smaller one. */
  readonly large: PageSize
}

/** ISO 216: A4 and A3, in points. */
export const a4: Paper = {
  portrait: { width: 595, height: 842 },
  landscape: { width: 842, height: 595 },
  large: { width: 1191, height: 842 },
}

/** ANSI/ASME Y14.1: Letter and Tabloid. */
export const letter: Paper = {
  portrait: { width: 612, height: 792 },
  landscape: { width: 792, height: 612 },
  large: { width: 1224, height: 792 },
}
