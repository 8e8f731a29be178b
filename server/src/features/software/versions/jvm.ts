import { compareSemver } from './semver.ts'
import type { Sign } from './version-parts.ts'

/** Java: `1.8.0_131-b11` equals `8.0.131`; the build number is ignored. */
export function compareJvm(a: string, b: string): Sign | undefined {
  return compareSemver(plain(a), plain(b))
}

function plain(version: string): string {
  return version
    .trim()
    .replace(/^1\.(?=[0-9])/, '')
    .replace('_', '.')
    .replace(/-b[0-9]+$/, '')
}
