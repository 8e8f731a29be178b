import { softwareOrigins } from '#features/assets/assets.ts'
import type {
  InstalledSoftware,
  OsRelease,
  SoftwareOrigin,
  SoftwareReport,
} from '#features/assets/observation.ts'
import { invalid } from '#platform/errors.ts'
import { ROWS_MAX } from '../messages/message.ts'
import type { SoftwareChanges } from './report-sections.ts'
import { fieldsOf, rowsOf, textOf, textsOf, type Fields } from './section-values.ts'

const origins: ReadonlySet<string> = new Set(softwareOrigins)

export function releaseIn(os: Fields): OsRelease | undefined {
  const id = textOf(os, 'id')
  if (id === undefined) return undefined
  const [codename, prettyName, kernel] = ['codename', 'prettyName', 'kernel'].map((it) => textOf(os, it))
  return {
    id,
    versionId: textOf(os, 'versionId') ?? '',
    ...(codename !== undefined && { codename }),
    ...(prettyName !== undefined && { prettyName }),
    ...(kernel !== undefined && { kernel }),
  }
}

/**
 * The list of the section `software`. An origin that the agent named as complete before and does not name now is complete
 * and empty: its package manager was removed. Libraries have none: where not all folders could be looked through, those
 * that are known stay.
 */
export function softwareIn(
  section: unknown,
  knownOrigins: readonly string[],
): Pick<SoftwareReport, 'complete' | 'items'> {
  const fields = fieldsOf(section)
  const rows = rowsOf(fields['items'])
  if (rows.length > ROWS_MAX) throw invalid('changed.software', `has more than ${ROWS_MAX} items`)
  const named = [...textsOf(fields, 'complete'), ...knownOrigins.filter((it) => it !== 'library')].filter(
    isOrigin,
  )
  return { complete: [...new Set(named)], items: rows.flatMap(itemOf) }
}

/** What was added to the list that is known, and what was removed from it. */
export function changedSoftware({
  added,
  removed,
}: SoftwareChanges): Pick<SoftwareReport, 'complete' | 'items' | 'removed'> {
  if (added.length + removed.length > ROWS_MAX)
    throw invalid('changes.software', `has more than ${ROWS_MAX} items`)
  return { complete: [], items: rowsOf(added).flatMap(itemOf), removed: rowsOf(removed).flatMap(itemOf) }
}

const isOrigin = (text: string): text is SoftwareOrigin => origins.has(text)

function itemOf(row: Fields): InstalledSoftware[] {
  const [origin = '', name = ''] = [textOf(row, 'origin'), textOf(row, 'name')]
  if (!isOrigin(origin) || name === '') return []
  const [arch, vendor, user] = ['arch', 'vendor', 'user'].map((it) => textOf(row, it))
  const source = fieldsOf(row['source'])
  const [sourceName, sourceVersion] = [textOf(source, 'name'), textOf(source, 'version')]
  const installedAt = new Date(textOf(row, 'installedAt') ?? '')
  const lastUsedOn = textOf(row, 'last_used_on')
  const [purl, paths] = [textOf(row, 'purl'), textsOf(row, 'paths')]
  return [
    {
      origin,
      name,
      version: textOf(row, 'version') ?? '',
      ...(arch !== undefined && { arch }),
      ...(vendor !== undefined && { vendor }),
      ...(user !== undefined && { user }),
      ...(sourceName !== undefined && {
        source: { name: sourceName, ...(sourceVersion !== undefined && { version: sourceVersion }) },
      }),
      ...(!Number.isNaN(installedAt.getTime()) && { installedAt }),
      ...(lastUsedOn !== undefined && { lastUsedOn }),
      ...(purl !== undefined && { purl }),
      ...(paths.length > 0 && { paths }),
    },
  ]
}
