import { csaf } from './csaf.ts'
import { openVex } from './openvex.ts'
import type { VexFormat } from './vex-format.ts'

export const vexFormats: readonly VexFormat[] = [openVex, csaf]
