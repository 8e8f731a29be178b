import type { InstalledSoftware } from '#features/assets/observation.ts'
import { compareVersions } from '../versions/compare.ts'

type Package = Pick<InstalledSoftware, 'origin' | 'name' | 'version'>

/** An installed kernel. Kernels of one flavour (`amd64`, `generic`, `rt`) replace each other. */
interface Kernel {
  readonly scheme: 'dpkg' | 'rpm'
  readonly flavour: string
  readonly version: string
  /** Whether `uname -r` prints this while the kernel runs. */
  readonly isRunning: (uname: string) => boolean
}

/**
 * Whether another kernel runs than the newest of its flavour that is installed. `running` is what `uname -r` prints.
 * Undefined where no package of such kernels is listed: containers, kernels that were built by hand, and systems whose
 * packages of kernels keep their name and have a version that `uname` does not tell (Alpine, Arch).
 */
export function isRebootPending(running: string, packages: readonly Package[]): boolean | undefined {
  const flavour = flavourOf(running)
  const kernels = packages.flatMap((it) => kernelOf(it) ?? []).filter((it) => it.flavour === flavour)
  const [newest] = kernels.toSorted((a, b) => compareVersions(a.scheme, b.version, a.version) ?? 0)
  return newest && running !== '' ? !newest.isRunning(running) : undefined
}

/** `6.1.0-18-amd64`, `5.14.21-150500.55.39-default`; those of Red Hat have none, `el8uek` of Oracle is one. */
function flavourOf(running: string): string {
  if (running.includes('uek')) return 'uek'
  return /^\d[^+]*?-([a-z][a-z0-9-]*)$/.exec(running)?.[1] ?? /\+(rt|debug|64k)\b/.exec(running)?.[1] ?? ''
}

function kernelOf({ origin, name, version }: Package): Kernel | undefined {
  if (origin === 'dpkg') return kernelOfDebian(name)
  if (origin !== 'rpm') return undefined
  const plain = version.replace(/^\d+:/, '')
  const [, flavour] = /^kernel-(default|uek|rt)(?:-core)?$/.exec(name) ?? []
  if (flavour === undefined && name !== 'kernel' && name !== 'kernel-core') return undefined
  return {
    scheme: 'rpm',
    flavour: flavour ?? '',
    version: plain,
    // of SUSE without the number of the build at the end; of the others with the architecture
    isRunning: (uname) =>
      flavour === 'default'
        ? plain.startsWith(uname.replace(/-default$/, ''))
        : uname === plain || uname.startsWith(`${plain}.`),
  }
}

/** Each kernel is a package of its own, which has the release in its name. */
function kernelOfDebian(name: string): Kernel | undefined {
  const [, release = '', flavour = ''] =
    /^linux-image-(?:unsigned-)?(\d\S*?)-([a-z][a-z0-9-]*)$/.exec(name) ?? []
  if (release === '' || flavour.endsWith('dbg')) return undefined
  return {
    scheme: 'dpkg',
    flavour,
    version: release,
    isRunning: (uname) => uname === `${release}-${flavour}`,
  }
}
