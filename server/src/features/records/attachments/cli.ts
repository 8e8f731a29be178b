import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { newUuid } from '#platform/uuid.ts'
import type { AttachedTo, Attachment } from './attachment.ts'
import { deleteAttachment, listAttachments, readAttachment, uploadAttachment } from './attachments.ts'

const target = {
  asset: { value: 'ID', help: 'of this asset' },
  contract: { value: 'ID', help: 'of this contract' },
}

export const attachmentCommands: readonly Command[] = [
  {
    path: 'attachment list',
    tenant: true,
    options: target,
    help: 'files attached to an asset or a contract',
    async run(ctx, { options }) {
      const all = await listAttachments(ctx, targetOf(options))
      return { json: all, text: all.map(lineOf).join('\n') || 'None.' }
    },
  },
  {
    path: 'attachment add',
    args: ['file'],
    tenant: true,
    options: { ...target, name: { value: 'NAME', help: "the file's own unless given" } },
    help: 'attaches a file of at most 20 MB to an asset or a contract',
    run: runAdd,
  },
  {
    path: 'attachment get',
    args: ['id'],
    tenant: true,
    options: { output: { value: 'FILE', help: 'where to write it; its own name unless given' } },
    help: 'writes an attached file (ids: attachment list)',
    run: runGet,
  },
  {
    path: 'attachment delete',
    args: ['id'],
    tenant: true,
    help: 'deletes an attached file',
    async run(ctx, { args: { id = '' } }) {
      await deleteAttachment(ctx, id)
      return { json: { id }, text: 'Deleted.' }
    },
  },
]

async function runAdd(ctx: Ctx, { args, options }: CommandInput): Promise<CommandResult> {
  const { file = '' } = args
  const { name } = options
  const size = await stat(file).then(
    (it) => it.size,
    (error: NodeJS.ErrnoException) => {
      throw invalid('file', `${file} cannot be read (${error.code ?? error.message})`)
    },
  )
  const added = await uploadAttachment(ctx, {
    ...targetOf(options),
    name: typeof name === 'string' ? name : basename(file),
    key: newUuid(ctx.now()),
    bytes: size,
    at: 0,
    content: createReadStream(file) as AsyncIterable<Buffer>,
  })
  return { json: added, text: `Attached ${lineOf(added)}.` }
}

async function runGet(ctx: Ctx, { args: { id = '' }, options }: CommandInput): Promise<CommandResult> {
  const { attachment, content } = await readAttachment(ctx, id)
  const { output } = options
  const file = typeof output === 'string' ? output : attachment.name
  // an existing file is somebody's
  const stream = createWriteStream(file, { flags: output === undefined ? 'wx' : 'w' })
  try {
    await pipeline(content, stream)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (stream.pending && code !== undefined) throw invalid('output', `${file} cannot be written (${code})`)
    throw error
  }
  return { json: { file, bytes: attachment.bytes }, text: `${file}: ${attachment.bytes} bytes` }
}

function targetOf({ asset, contract }: CommandInput['options']): AttachedTo {
  return {
    ...(typeof asset === 'string' && { assetId: asset }),
    ...(typeof contract === 'string' && { contractId: contract }),
  }
}

const lineOf = ({ id, name, bytes, mediaType, addedBy, addedAt }: Attachment): string =>
  `${id}  ${name}  ${bytes} bytes  ${mediaType ?? ''}  ${addedBy}, ${String(addedAt)}`
