import { call } from '#api/client.ts'

export interface Rejection {
  readonly line: number
  readonly field: string
  readonly message: string
}

export interface ImportPreview {
  readonly format: string
  /** That would be taken. */
  readonly rows: number
  readonly sample: readonly SampleRow[]
  /** The first of them; `rejectedTotal` counts all. */
  readonly rejected: readonly Rejection[]
  readonly rejectedTotal: number
}

export interface SampleRow {
  readonly line: number
  /** What the row does not say is absent. */
  readonly name?: string
  readonly assetType?: string
  readonly identifiers: readonly { readonly type: string; readonly value: string }[]
}

export interface ImportResult {
  readonly observed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: readonly Rejection[]
  readonly rejectedTotal: number
}

export const FILE_BYTES_MAX = 20_000_000

/** What would be taken; nothing is written. */
export const previewFile = (file: File, ignoreUnknown: boolean): Promise<ImportPreview> =>
  bring('/files/imports/preview', file, ignoreUnknown) as Promise<ImportPreview>

export const takeFile = (file: File, ignoreUnknown: boolean): Promise<ImportResult> =>
  bring('/files/imports', file, ignoreUnknown) as Promise<ImportResult>

function bring(path: string, file: File, ignoreUnknown: boolean): Promise<unknown> {
  const query = new URLSearchParams({ name: file.name, ...(ignoreUnknown && { ignoreUnknown: '1' }) })
  return call('POST', `${path}?${query.toString()}`, { body: file, type: 'application/octet-stream' })
}
