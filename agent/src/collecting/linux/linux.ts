import type { Collectors, Stamps } from '../section.ts'
import { listeningPorts, socketsStamp } from './listening-ports.ts'
import { certificates } from './certificates.ts'
import { cloudInstance } from './cloud-instance.ts'
import { containers } from './containers.ts'
import { disks } from './disks.ts'
import { hardware } from './hardware.ts'
import { networkInterfaces } from './network-interfaces.ts'
import { operatingSystem } from './operating-system.ts'
import { protection } from './protection.ts'
import { services } from './services.ts'
import { installedSoftware, softwareStamp } from './software.ts'
import { userAccounts } from './user-accounts.ts'

/** Reads files of /etc, /proc, /sys and the package managers; programs only where there is no file to read. */
export const linuxCollectors: Collectors = {
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
  containers,
  cloud: cloudInstance,
}

/** The most expensive sections: a list of packages is parsed, and the owners of sockets are found, only when something changed. */
export const linuxStamps: Stamps = { software: softwareStamp, listening: socketsStamp }
