import { csaf } from './csaf.ts'
import { openVex } from './open-vex.ts'
import type { VexFormat } from './vex-format.ts'

export const vexFormats: readonly VexFormat[] = [openVex, csaf]
