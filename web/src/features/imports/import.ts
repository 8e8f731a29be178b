import type { ImportData } from '#api/generated/operations.ts'

/** An import as its own screen shows it. */
export type ImportDetails = ImportData['import']
