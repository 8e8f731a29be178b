import type { Installed } from './matcher.ts'

/** Several kernels may be installed while one runs: only the running kernel makes the asset vulnerable. */

const inDebian = /^linux-(?:image|modules|modules-extra|headers)(?:-unsigned)?-(\d.*)$/
const inRedHat = /^kernel(?:-(?:core|modules|modules-core|modules-extra|devel|uek|uek-core))?$/
const inAlpine = /^linux-(lts|virt|edge)$/

/** As `uname -r` prints it; empty for software that is not a kernel. */
export function kernelOf({ origin, name, version }: Pick<Installed, 'origin' | 'name' | 'version'>): string {
  if (origin === 'dpkg') return inDebian.exec(name)?.[1] ?? ''
  if (origin === 'rpm') return inRedHat.test(name) ? version.replace(/^\d+:/, '') : ''
  if (origin !== 'apk') return ''
  const flavour = inAlpine.exec(name)?.[1]
  const [, upstream, release] = /^(.*)-r(\d+)$/.exec(version) ?? []
  return flavour === undefined || upstream === undefined ? '' : `${upstream}-${release}-${flavour}`
}
