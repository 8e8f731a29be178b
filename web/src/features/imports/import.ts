import type { ImportData } from '#api/generated/imports.ts'

/** An import with all its details. */
export type ImportDetails = ImportData['import']
