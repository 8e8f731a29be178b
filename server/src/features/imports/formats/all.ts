import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { nmapXml } from './nmap-xml.ts'

export const formats: readonly Format[] = [csv, nmapXml]
