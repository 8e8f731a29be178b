interface DuplicateSearch {
  /** Only pairs with this asset. */
  readonly asset?: string
  /** From 1 on. */
  readonly page?: number
}

/** Reads an address that anyone may have written: what is not understood is left out. */
export function readDuplicateSearch({ asset, page }: Record<string, unknown>): DuplicateSearch {
  return {
    ...(typeof asset === 'string' && { asset }),
    ...(typeof page === 'number' && Number.isSafeInteger(page) && page > 1 && { page }),
  }
}
