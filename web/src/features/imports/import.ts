import type { ImportData } from '#api/generated/operations.ts'

/** An import with all its details. */
export type ImportDetails = ImportData['import']
