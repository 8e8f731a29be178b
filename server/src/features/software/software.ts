/** Software: what is installed on every asset, normalised, with its history. */
export { compareToBound, compareVersions, schemeOf, schemes, type Scheme } from './versions/compare.ts'
export { isInRange, satisfies, type Bounds } from './versions/range.ts'
