import { srgbProfile } from './colour-profile.ts'
import { LANGUAGE, xmpPacket, type Metadata } from './metadata.ts'
import { OtherFonts } from './fonts/other-fonts.ts'
import { productFonts, type Fonts } from './fonts/product-fonts.ts'
import { PdfObjects, pdfText } from './pdf-objects.ts'
import { linkAnnotation, type Destination, type Link } from './pdf-link.ts'
import { PdfPage, type PageSize } from './pdf-page.ts'
import { a4, type Paper } from './paper.ts'
import { StructureElement } from './structure.ts'

interface ClosedPage {
  readonly id: number
  readonly size: PageSize
  readonly content: number
  readonly footer: number
  /** In the parent tree. */
  readonly key: number
  readonly annotations: readonly number[]
}

interface DocumentOptions {
  /** A4 unless given. */
  readonly paper?: Paper
  /** Of the operator, for characters that those of the product do not have. */
  readonly otherFonts?: OtherFonts
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
  readonly paper: Paper
  readonly fonts: Fonts
  readonly root: StructureElement
  readonly #treeId: number
  readonly #pagesId: number
  readonly #resourcesId: number
  readonly #fontIds: readonly [number, number]
  readonly #otherFonts: OtherFonts
  readonly #pages: ClosedPage[] = []
  /** The parent tree (§14.7.4.4): by key the object that says to which elements a page or an annotation belongs. */
  readonly #parents: number[] = []
  readonly #bookmarks: Bookmark[] = []

  constructor({ paper = a4, otherFonts = new OtherFonts() }: DocumentOptions = {}) {
    const { objects } = this
    this.paper = paper
    this.#otherFonts = otherFonts
    this.#treeId = objects.allocate()
    this.#pagesId = objects.allocate()
    this.#resourcesId = objects.allocate()
    this.#fontIds = [objects.allocate(), objects.allocate()]
    this.fonts = productFonts(otherFonts)
    this.root = new StructureElement(objects, 'Document', this.#treeId)
  }

  /** Its place among the pages is that of its opening. */
  openPage(size: PageSize): PdfPage {
    const page = new PdfPage(this.objects.allocate(), size, this.#pages.length)
    this.#pages.push({
      id: page.id,
      size,
      content: this.objects.allocate(),
      footer: this.objects.allocate(),
      // its object is known when the page is closed
      key: this.#parents.push(0) - 1,
      annotations: page.annotations,
    })
    return page
  }

  closePage(page: PdfPage): void {
    const closed = this.#pages[page.index]
    if (closed?.id !== page.id) throw new Error('a page of another document')
    this.objects.addStream('', page.content(), closed.content)
    this.#parents[closed.key] = this.objects.add(`[${page.marked.map((it) => `${it.id} 0 R`).join(' ')}]`)
  }

  /** What `draw` draws within the element that it is given leads somewhere, in a click or by keyboard. */
  link(page: PdfPage, parent: StructureElement, link: Link, draw: (element: StructureElement) => void): void {
    const element = parent.child('Link')
    draw(element)
    const key = this.#parents.push(element.id) - 1
    const annotation = this.objects.add(linkAnnotation(page, link, key))
    page.annotations.push(annotation)
    element.holdsAnnotation(page.id, annotation)
    element.close()
  }

  /** An entry of the outline that leads to the top of a part. */
  bookmark(title: string, { page, top }: Destination): void {
    this.#bookmarks.push({ title, page: page.id, top: page.size.height - top })
  }

  /** `footer` draws what each page is told at the end, as an artifact. */
  finish(metadata: Metadata, footer: (page: PdfPage, n: number, of: number) => void): void {
    const { objects } = this
    this.#writePages(footer)
    this.#writeFonts()
    this.root.close()
    const nums = this.#parents.map((id, index) => `${index} ${id} 0 R`).join(' ')
    const parentTree = objects.add(`<</Nums[${nums}]>>`)
    objects.add(
      `<</Type/StructTreeRoot/K ${this.root.id} 0 R/ParentTree ${parentTree} 0 R/ParentTreeNextKey ${this.#parents.length}>>`,
      this.#treeId,
    )
    const profile = objects.addStream('/N 3', srgbProfile())
    const xmp = objects.addPlainStream('/Type/Metadata/Subtype/XML', xmpPacket(metadata))
    const outlines = this.#writeOutlines()
    const root = objects.add(
      `<</Type/Catalog/Pages ${this.#pagesId} 0 R/StructTreeRoot ${this.#treeId} 0 R/MarkInfo<</Marked true>>` +
        `/Lang(${LANGUAGE})/ViewerPreferences<</DisplayDocTitle true>>/Metadata ${xmp} 0 R${outlines}` +
        `/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB)` +
        `/DestOutputProfile ${profile} 0 R>>]>>`,
    )
    objects.finish({ root, id: metadata.digest.slice(0, 32) })
  }

  #writePages(footer: (page: PdfPage, n: number, of: number) => void): void {
    const { objects } = this
    this.#pages.forEach(({ id, size, content, footer: footerId, key, annotations }, index) => {
      const bottom = new PdfPage(id, size, index)
      footer(bottom, index + 1, this.#pages.length)
      objects.addStream('', bottom.content(), footerId)
      const annots =
        annotations.length === 0 ? '' : `/Annots[${annotations.map((it) => `${it} 0 R`).join(' ')}]`
      objects.add(
        `<</Type/Page/Parent ${this.#pagesId} 0 R/MediaBox[0 0 ${size.width} ${size.height}]` +
          `/Resources ${this.#resourcesId} 0 R/Contents[${content} 0 R ${footerId} 0 R]/StructParents ${key}/Tabs/S${annots}>>`,
        id,
      )
    })
    const kids = this.#pages.map(({ id }) => `${id} 0 R`).join(' ')
    objects.add(`<</Type/Pages/Kids[${kids}]/Count ${this.#pages.length}>>`, this.#pagesId)
  }

  #writeFonts(): void {
    const { objects, fonts } = this
    const [regular, bold] = this.#fontIds
    fonts.regular.embedded.write(objects, regular)
    fonts.bold.embedded.write(objects, bold)
    const others = this.#otherFonts.used.map(({ name, font }) => {
      const id = objects.allocate()
      font.write(objects, id)
      return `/${name} ${id} 0 R`
    })
    objects.add(`<</Font<</F1 ${regular} 0 R/F2 ${bold} 0 R${others.join('')}>>>>`, this.#resourcesId)
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
