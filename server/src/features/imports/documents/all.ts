import { cyclonedx } from './cyclonedx.ts'
import type { DocumentFormat } from './document.ts'
import { apkList, dpkgList, rpmList } from './package-lists.ts'
import { spdx } from './spdx.ts'

/** Files that list the software of one thing. */
export const documentFormats: readonly DocumentFormat[] = [cyclonedx, spdx, dpkgList, rpmList, apkList]
