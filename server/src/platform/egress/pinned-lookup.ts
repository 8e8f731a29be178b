import { isIP, type LookupFunction } from 'node:net'

/** Answers with the addresses that were checked, so that the name is not asked for a second time. */
export const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
