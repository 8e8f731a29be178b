import { open, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command, CommandResult } from '#platform/cli/command.ts'
import type { SourceComparison } from '#features/sources/sources.ts'
import { invalid } from '#platform/errors.ts'
import { formatNames, importFile, type ImportResult } from './import-file.ts'
import { REJECTIONS_TOLD_MAX } from './running/rejections.ts'

const REJECTIONS_SHOWN = 20

export const commands: readonly Command[] = [
  {
    path: 'import',
    args: ['file'],
    tenant: true,
    options: {
      format: { value: 'FORMAT', help: `${formatNames.join(' or ')}; told from the content unless given` },
      asset: { value: 'ID', help: 'the asset that a list of software is of' },
      host: { value: 'NAME', help: 'the same by its name; made when there is none' },
      os: {
        value: 'ID:VERSION',
        help: 'of the packages of a list, such as debian:12; as known unless given',
      },
      columns: {
        value: 'TITLE=COLUMN,…',
        help: 'what titles of a table mean, such as "IP Address=ipAddress"; an empty column leaves it out',
      },
      currency: {
        value: 'CODE',
        help: 'what prices are in that come without a currency, such as EUR',
      },
      'ignore-unknown': { flag: true, help: 'leave unknown columns out instead of refusing the file' },
    },
    help: 'take the things of a CSV or nmap XML file or of an export of Snipe-IT, NetBox, Fleet or Lansweeper, or the software of a bill of materials or package list; bad rows are listed',
    async run(ctx, { args, options }) {
      const path = args.file ?? ''
      await using file = await openFile(path)
      const result = await importFile(ctx, {
        name: basename(path),
        content: file.createReadStream(),
        format: textOf(options['format']),
        assetId: textOf(options['asset']),
        host: textOf(options['host']),
        os: textOf(options['os']),
        currency: textOf(options['currency']),
        columns: columnsIn(textOf(options['columns'])),
        ignoreUnknown: options['ignore-unknown'] === true,
      })
      return toResult(basename(path), result)
    },
  },
]

const textOf = (option: string | true | undefined): string | undefined =>
  typeof option === 'string' ? option : undefined

function columnsIn(text: string | undefined): [string, string][] | undefined {
  return text?.split(',').map((each) => {
    const sign = each.lastIndexOf('=')
    if (sign < 1) throw invalid('columns', 'must be like "IP Address=ipAddress,Owner="')
    return [each.slice(0, sign).trim(), each.slice(sign + 1).trim()]
  })
}

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw invalid(
      'file',
      error.code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be read (${error.code})`,
    )
  })
  if ((await file.stat()).isDirectory()) {
    await file.close()
    throw invalid('file', `${path} is a directory`)
  }
  return file
}

const comparedIn = ({ shared, different, onlyThere, onlyHere }: SourceComparison): string =>
  `${shared} known to both sides, ${different.total} with values that differ; ${onlyThere.total} only in this export, ${onlyHere.total} only here`

function toResult(name: string, result: ImportResult): CommandResult {
  const { observed, created, updated, unchanged, rejected, rejectedTotal } = result
  const shown = rejected
    .slice(0, REJECTIONS_SHOWN)
    .map((it) => `  line ${it.line}, ${it.field}: ${it.message}`)
  const more = rejectedTotal - shown.length
  const text = [
    `${name}: ${observed} taken (${created} new, ${updated} changed, ${unchanged} as before), ${rejectedTotal} rejected`,
    ...shown,
    ...(result.comparison ? [comparedIn(result.comparison)] : []),
    ...(result.message === undefined ? [] : [result.message]),
    ...(more > 0 ? [`  and ${more} more; --json lists the first ${REJECTIONS_TOLD_MAX}`] : []),
  ]
  return { json: result, text: text.join('\n') }
}
