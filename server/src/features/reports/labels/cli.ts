import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { tenantOfAsset } from '#features/assets/assets.ts'
import type { Command, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { assetLabel, labelFormats, LABELS_MAX, labelSheet, type LabelFile } from './labels.ts'

const output = { value: 'FILE', help: 'where to write it; its own name unless given' } as const

export const labelCommands: readonly Command[] = [
  {
    path: 'asset label',
    args: ['id'],
    tenant: true,
    tenantOf: (system, { args }) => tenantOfAsset(system, args['id'] ?? ''),
    options: {
      format: { value: 'FORMAT', help: `one of ${labelFormats.join(', ')}; svg unless given` },
      output,
    },
    help: 'writes the QR code that leads to the page of an asset',
    async run(ctx, { args: { id = '' }, options: { format, output: file } }) {
      return write(await assetLabel(ctx, id, textOf(format) ?? 'svg'), textOf(file))
    },
  },
  {
    path: 'asset labels',
    tenant: true,
    options: {
      where: { value: 'CONDITION', help: 'assets for which this is true; see docs/conditions.md' },
      asset: { value: 'ID', many: true, help: 'this asset; may be repeated' },
      output,
    },
    help: `writes a PDF with labels of at most ${LABELS_MAX} assets, 24 of 70 x 37 mm on a page`,
    async run(ctx, { options: { where, asset, output: file } }) {
      const assetIds = textOf(asset)?.split('\n')
      return write(await labelSheet(ctx, { where: textOf(where), assetIds }), textOf(file))
    },
  },
]

const textOf = (option: string | true | undefined): string | undefined =>
  typeof option === 'string' ? option : undefined

async function write({ content, fileName }: LabelFile, output: string | undefined): Promise<CommandResult> {
  const file = output ?? fileName
  const stream = createWriteStream(file, { flags: output === undefined ? 'wx' : 'w' })
  try {
    // an existing file is somebody's
    await pipeline(content, stream)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (stream.pending && code !== undefined) throw invalid('output', `${file} cannot be written (${code})`)
    throw error
  }
  return { json: { file, bytes: stream.bytesWritten }, text: `${file}: ${stream.bytesWritten} bytes` }
}
