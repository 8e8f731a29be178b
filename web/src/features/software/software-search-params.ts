import type { SoftwareListVariables } from '#api/generated/software.ts'

/** URL search parameters of the software list. */
export interface SoftwareSearch {
  readonly text?: string | undefined
  readonly origin?: string | undefined
}

/** Package managers and registries with their labels. */
export const ORIGINS = [
  { value: 'dpkg', label: 'Debian packages' },
  { value: 'rpm', label: 'RPM packages' },
  { value: 'apk', label: 'Alpine packages' },
  { value: 'pacman', label: 'Arch packages' },
  { value: 'brew', label: 'Homebrew' },
  { value: 'snap', label: 'Snaps' },
  { value: 'flatpak', label: 'Flatpaks' },
  { value: 'windows', label: 'Windows programs' },
  { value: 'hotfix', label: 'Windows updates' },
  { value: 'macos', label: 'macOS applications' },
  { value: 'pkg', label: 'BSD packages' },
  { value: 'library', label: 'Libraries on disk' },
  { value: 'snmp', label: 'Told by SNMP' },
  { value: 'sbom', label: 'Bills of materials' },
  { value: 'banner', label: 'Read from banners' },
] as const

export const originName = (origin: string): string =>
  ORIGINS.find(({ value }) => value === origin)?.label ?? origin

/** Parses URL search parameters; invalid ones are ignored. */
export function readSoftwareSearch(raw: Record<string, unknown>): SoftwareSearch {
  const { text, origin } = raw
  return {
    ...(typeof text === 'string' && text !== '' && { text }),
    ...(ORIGINS.some(({ value }) => value === origin) && { origin: String(origin) }),
  }
}

export const variablesOf = ({ text, origin }: SoftwareSearch): Pick<SoftwareListVariables, 'filter'> => ({
  filter: { search: text ?? null, origin: origin ?? null, vendor: null },
})
