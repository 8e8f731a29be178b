import type { Collectors } from '../section.ts'
import { certificates, disks, protection, userAccounts } from './accounts-and-protection.ts'
import { listeningPorts, services } from './services-and-ports.ts'
import { installedSoftware } from './software.ts'
import { hardware, networkInterfaces, operatingSystem } from './system.ts'

/**
 * All from one run of PowerShell. Made from Microsoft's documentation of classes and cmdlets; no Windows was at hand, so
 * tests read answers written after that documentation.
 */
export const windowsCollectors: Collectors = {
  os: operatingSystem,
  hardware,
  nics: networkInterfaces,
  software: installedSoftware,
  services,
  listening: listeningPorts,
  users: userAccounts,
  disks,
  protection,
  certs: certificates,
}
