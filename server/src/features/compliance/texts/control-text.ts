/** What a framework asks for, in the words of its publisher. */
export interface ControlText {
  readonly controlId: string
  readonly title: string
  /** May be empty. */
  readonly text: string
}

/** Texts that the organisation imported for a framework. */
export interface TextImport {
  readonly framework: string
  /** The licence lets the organisation put them into files of its statements. */
  readonly isExported: boolean
  readonly importedAt: string
  readonly importedByName: string
  /** How many controls have one. */
  readonly controls: number
}
