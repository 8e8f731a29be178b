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
