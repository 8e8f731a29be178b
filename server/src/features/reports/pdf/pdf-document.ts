import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { srgbProfile } from './colour-profile.ts'
import { xmpPacket, type Metadata } from './metadata.ts'
import { PdfFont } from './pdf-font.ts'
import { PdfObjects, pdfText } from './pdf-objects.ts'
import { PdfPage, type PageSize } from './pdf-page.ts'
import { StructureElement } from './structure.ts'

export interface Fonts {
  readonly regular: PdfFont
  readonly bold: PdfFont
}

interface ClosedPage {
  readonly id: number
  readonly size: PageSize
  readonly content: number
  readonly footer: number
}

interface Bookmark {
  readonly title: string
  readonly page: number
  readonly top: number
}

/**
 * A tagged PDF file of pages: PDF 1.7 that is PDF/A-2a and PDF/UA-1. Contents are written when a page is closed; what
 * every page is told at the end (its number of so many) stands in a stream of its own.
 */
export class PdfDocument {
  readonly objects = new PdfObjects()
  readonly fonts: Fonts
  readonly root: StructureElement
  readonly #treeId: number
  readonly #pagesId: number
  readonly #resourcesId: number
  readonly #fontIds: readonly [number, number]
  readonly #pages: ClosedPage[] = []
  readonly #parents: number[] = []
  readonly #bookmarks: Bookmark[] = []

  constructor() {
    const { objects } = this
    this.#treeId = objects.allocate()
    this.#pagesId = objects.allocate()
    this.#resourcesId = objects.allocate()
    this.#fontIds = [objects.allocate(), objects.allocate()]
    this.fonts = {
      regular: new PdfFont(readFont('DejaVuSansCondensed.ttf'), 'ROLLCA'),
      bold: new PdfFont(readFont('DejaVuSansCondensed-Bold.ttf'), 'ROLLCB'),
    }
    this.root = new StructureElement(objects, 'Document', this.#treeId)
  }

  /** Pages so far. */
  get pageCount(): number {
    return this.#pages.length
  }

  /** Its place among the pages is that of its opening. */
  openPage(size: PageSize): PdfPage {
    const page = new PdfPage(this.objects.allocate(), size)
    this.#pages.push({ id: page.id, size, content: this.objects.allocate(), footer: this.objects.allocate() })
    return page
  }

  closePage(page: PdfPage): void {
    const closed = this.#pages.find(({ id }) => id === page.id)
    if (!closed) throw new Error('a page of another document')
    const index = this.#pages.indexOf(closed)
    this.objects.addStream('', page.content(), closed.content)
    this.#parents[index] = this.objects.add(`[${page.marked.map((it) => `${it.id} 0 R`).join(' ')}]`)
  }

  /** An entry of the outline that leads to the top of a part; `top` is measured from the upper edge of the page. */
  bookmark(title: string, page: PdfPage, top: number): void {
    this.#bookmarks.push({ title, page: page.id, top: page.size.height - top })
  }

  /** `footer` draws what each page is told at the end, as an artifact. */
  finish(metadata: Metadata, footer: (page: PdfPage, n: number, of: number) => void): void {
    const { objects } = this
    this.#writePages(footer)
    this.fonts.regular.write(objects, this.#fontIds[0])
    this.fonts.bold.write(objects, this.#fontIds[1])
    const [regular, bold] = this.#fontIds
    objects.add(`<</Font<</F1 ${regular} 0 R/F2 ${bold} 0 R>>>>`, this.#resourcesId)
    this.root.close()
    const nums = this.#parents.map((id, index) => `${index} ${id} 0 R`).join(' ')
    const parentTree = objects.add(`<</Nums[${nums}]>>`)
    objects.add(
      `<</Type/StructTreeRoot/K ${this.root.id} 0 R/ParentTree ${parentTree} 0 R/ParentTreeNextKey ${this.#pages.length}>>`,
      this.#treeId,
    )
    const profile = objects.addStream('/N 3', srgbProfile())
    const xmp = objects.addPlainStream('/Type/Metadata/Subtype/XML', xmpPacket(metadata))
    const outlines = this.#writeOutlines()
    const root = objects.add(
      `<</Type/Catalog/Pages ${this.#pagesId} 0 R/StructTreeRoot ${this.#treeId} 0 R/MarkInfo<</Marked true>>` +
        `/Lang(en)/ViewerPreferences<</DisplayDocTitle true>>/Metadata ${xmp} 0 R${outlines}` +
        `/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB)` +
        `/DestOutputProfile ${profile} 0 R>>]>>`,
    )
    objects.finish({ root, id: metadata.digest.slice(0, 32) })
  }

  #writePages(footer: (page: PdfPage, n: number, of: number) => void): void {
    const { objects } = this
    this.#pages.forEach(({ id, size, content, footer: footerId }, index) => {
      const bottom = new PdfPage(id, size)
      footer(bottom, index + 1, this.#pages.length)
      objects.addStream('', bottom.content(), footerId)
      objects.add(
        `<</Type/Page/Parent ${this.#pagesId} 0 R/MediaBox[0 0 ${size.width} ${size.height}]` +
          `/Resources ${this.#resourcesId} 0 R/Contents[${content} 0 R ${footerId} 0 R]/StructParents ${index}/Tabs/S>>`,
        id,
      )
    })
    const kids = this.#pages.map(({ id }) => `${id} 0 R`).join(' ')
    objects.add(`<</Type/Pages/Kids[${kids}]/Count ${this.#pages.length}>>`, this.#pagesId)
  }

  #writeOutlines(): string {
    if (this.#bookmarks.length === 0) return ''
    const { objects } = this
    const outlines = objects.allocate()
    const ids = this.#bookmarks.map(() => objects.allocate())
    this.#bookmarks.forEach(({ title, page, top }, at) => {
      const [before, after] = [ids[at - 1], ids[at + 1]]
      objects.add(
        `<</Title ${pdfText(title)}/Parent ${outlines} 0 R/Dest[${page} 0 R/XYZ 0 ${top} null]` +
          `${before === undefined ? '' : `/Prev ${before} 0 R`}${after === undefined ? '' : `/Next ${after} 0 R`}>>`,
        ids[at],
      )
    })
    objects.add(`<</Type/Outlines/First ${ids[0]} 0 R/Last ${ids.at(-1)} 0 R/Count ${ids.length}>>`, outlines)
    return `/Outlines ${outlines} 0 R`
  }
}

const readFont = (name: string): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}`))
