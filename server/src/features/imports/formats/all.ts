import { fleet } from '../inventories/fleet.ts'
import { lansweeper } from '../inventories/lansweeper.ts'
import { netbox } from '../inventories/netbox.ts'
import { snipeIt } from '../inventories/snipe-it.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { nmapXml } from './nmap-xml.ts'

export const formats: readonly Format[] = [csv, nmapXml, snipeIt, netbox, lansweeper, fleet]
