import { cpe } from './cpe.ts'
import { distribution } from './distribution.ts'
import type { Matcher } from './matcher.ts'
import { packages } from './package.ts'

/** In descending order of confidence. */
export const matchers: readonly Matcher[] = [distribution, packages, cpe]
