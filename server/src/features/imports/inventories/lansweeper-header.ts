/** Titles as Lansweeper's columns are called, in small letters and digits alone. */
export const plainTitle = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Columns that only reports of Lansweeper have beside `AssetName`. */
const own = ['assetid', 'assetunique', 'assettypename', 'icon']

/** Whether a table begins like a report of Lansweeper, by its first line. */
export function isLansweeperReport(head: string): boolean {
  const [first = ''] = head.trimStart().split(/\r?\n/, 1)
  const titles = first.split(/[,;\t|]/)
  const hasName = titles.some((it) => /^"?assetname"?$/i.test(it.trim()))
  return hasName && titles.some((it) => own.includes(plainTitle(it)))
}
