import type { PdfObjects } from './pdf-objects.ts'

export interface ElementOptions {
  /** Entries of its dictionary, such as attributes or an alternate description. */
  readonly entries?: string
}

/** An element of the logical structure (ISO 32000-1 §14.7.2), written when it is closed. It knows its parent alone. */
export class StructureElement {
  readonly id: number
  readonly #objects: PdfObjects
  readonly #head: string
  #kids: string[] = []
  #page: number | undefined

  constructor(objects: PdfObjects, type: string, parentId: number, { entries = '' }: ElementOptions = {}) {
    this.id = objects.allocate()
    this.#objects = objects
    this.#head = `/S/${type}/P ${parentId} 0 R${entries}`
  }

  child(type: string, options?: ElementOptions): StructureElement {
    const made = new StructureElement(this.#objects, type, this.id, options)
    this.#kids.push(`${made.id} 0 R`)
    return made
  }

  /** Marked content of a page, all of it of the same page. */
  holds(page: number, markedContent: number): void {
    this.#page = page
    this.#kids.push(String(markedContent))
  }

  /** An annotation of a page, which is not drawn with its content. */
  holdsAnnotation(page: number, annotation: number): void {
    this.#page = page
    this.#kids.push(`<</Type/OBJR/Obj ${annotation} 0 R>>`)
  }

  close(): void {
    const page = this.#page === undefined ? '' : `/Pg ${this.#page} 0 R`
    const kids = this.#kids.length === 1 ? ` ${this.#kids[0]}` : `[${this.#kids.join(' ')}]`
    this.#objects.add(`<<${this.#head}${page}/K${kids}>>`, this.id)
    this.#kids = []
  }
}
