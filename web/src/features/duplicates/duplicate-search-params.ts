interface DuplicateSearch {
  /** Only pairs with this asset. */
  readonly asset?: string
  /** Page number, from 1. */
  readonly page?: number
}

/** Parses URL search parameters; invalid ones are ignored. */
export function readDuplicateSearch({ asset, page }: Record<string, unknown>): DuplicateSearch {
  return {
    ...(typeof asset === 'string' && { asset }),
    ...(typeof page === 'number' && Number.isSafeInteger(page) && page > 1 && { page }),
  }
}
