import { invalid } from '#platform/errors.ts'
import type { FileInput, FileRoute } from '#platform/files-door.ts'
import type { Row } from './formats/format.ts'
import { importFile, previewImport, type FileToImport } from './imports.ts'

/** Of the rows that were not taken, so many are told; all are counted. */
const REJECTED_TOLD_MAX = 500

export const files: readonly FileRoute[] = [
  {
    method: 'POST',
    path: '/imports',
    async handle(ctx, input) {
      const { rejected, ...result } = await importFile(ctx, fileOf(input))
      return { json: { ...result, ...told(rejected) } }
    },
  },
  {
    method: 'POST',
    path: '/imports/preview',
    async handle(ctx, input) {
      const { rejected, sample, ...result } = await previewImport(ctx, fileOf(input))
      return { json: { ...result, sample: sample.map(toJson), ...told(rejected) } }
    },
  },
]

function fileOf({ query, content }: FileInput): FileToImport {
  const { name = '', format, ignoreUnknown, asset, host, os } = query
  if (name === '') throw invalid('name', 'is required')
  return { name, content, format, ignoreUnknown: ignoreUnknown === '1', assetId: asset, host, os }
}

const told = <T>(rejected: readonly T[]) => ({
  rejected: rejected.slice(0, REJECTED_TOLD_MAX),
  rejectedTotal: rejected.length,
})

function toJson({ line, observation }: Row): object {
  const { name, assetType, os, identifiers, tags, software } = observation
  return {
    line,
    name,
    assetType,
    os,
    identifiers,
    tags,
    ...(software && { software: software.items.length }),
  }
}
