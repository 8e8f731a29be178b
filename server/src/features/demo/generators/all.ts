import { cloudResources } from './cloud-resources.ts'
import { clusters, dataCentres, datastores, hypervisors, servers } from './data-centre.ts'
import { accessPoints, cameras, deskPhones, firewalls, printers, switches } from './office-devices.ts'
import type { AssetGenerator } from './generator.ts'
import { saasAccounts, users } from './users-and-saas-accounts.ts'
import { industrialControllers } from './industrial-devices.ts'
import { software } from './software-products.ts'
import { virtualMachines } from './virtual-machines.ts'
import { desktops, handhelds, laptops } from './laptops-and-desktops.ts'

/** The first eleven produce one asset of each type, so that the smallest company with all types has eleven assets. */
export const generators: readonly AssetGenerator[] = [
  laptops,
  virtualMachines,
  users,
  cloudResources,
  industrialControllers,
  software,
  saasAccounts,
  hypervisors,
  datastores,
  clusters,
  dataCentres,
  desktops,
  servers,
  handhelds,
  printers,
  switches,
  accessPoints,
  firewalls,
  deskPhones,
  cameras,
]
