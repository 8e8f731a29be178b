import type { Collectors } from '../section.ts'
import { listeningPorts, protection, services, userAccounts } from './services-and-accounts.ts'
import { disks, installedSoftware } from './software.ts'
import { hardware, networkInterfaces, operatingSystem } from './system.ts'

/**
 * By programs that come with macOS. Made from their manual pages and published output; no Mac was at hand, so tests read
 * answers written after these.
 */
export const macosCollectors: Collectors = {
  os: operatingSystem,
  hardware,
  nics: networkInterfaces,
  software: installedSoftware,
  services,
  listening: listeningPorts,
  users: userAccounts,
  disks,
  protection,
}
