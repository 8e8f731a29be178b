import { cloudResources } from './clouds.ts'
import { clusters, dataCentres, datastores, hypervisors, servers } from './data-centre.ts'
import { accessPoints, cameras, deskPhones, firewalls, printers, switches } from './offices.ts'
import type { Part } from './part.ts'
import { saasAccounts, users } from './people.ts'
import { plant } from './plant.ts'
import { software } from './software.ts'
import { virtualMachines } from './virtual-machines.ts'
import { desktops, handhelds, laptops } from './workplaces.ts'

/** One of each asset type first: the smallest estate that has all eleven is of eleven assets. */
export const parts: readonly Part[] = [
  laptops,
  virtualMachines,
  users,
  cloudResources,
  plant,
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
