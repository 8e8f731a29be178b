import { cpe } from './cpe.ts'
import { distribution } from './distribution.ts'
import type { Matcher } from './matcher.ts'
import { packages } from './package.ts'

/** The surest first. */
export const matchers: readonly Matcher[] = [distribution, packages, cpe]
