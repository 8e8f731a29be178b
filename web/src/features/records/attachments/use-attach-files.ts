import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { uploadInChunks } from '#api/chunked-upload.ts'
import { messageOf } from '#api/errors.ts'
import { many } from '#lib/numbers.ts'
import { toastDone, toastFailed } from '#ui/toast.ts'
import type { AttachedTo } from './attached-to.ts'

/** Uploads files one after the other; what has arrived stays when a later one fails. */
export function useAttachFiles({ assetId, contractId, control }: AttachedTo) {
  const client = useQueryClient()
  /** Of all files together, 0 to 1. */
  const [share, setShare] = useState(0)
  const attach = useMutation({
    async mutationFn(files: readonly File[]) {
      setShare(0)
      const about = {
        ...(assetId && { asset: assetId }),
        ...(contractId && { contract: contractId }),
        ...(control && { control }),
      }
      for (const [at, file] of files.entries())
        await uploadInChunks({ file, to: '/files/attachments', about }, (done) =>
          setShare((at + done) / files.length),
        )
    },
    onSuccess: (_, files) => toastDone(`${many(files.length, 'file')} attached`),
    onError: (error) => toastFailed(messageOf(error)),
    onSettled: () => client.invalidateQueries(),
  })
  return {
    attach: (files: readonly File[]) => files.length > 0 && !attach.isPending && attach.mutate(files),
    share: attach.isPending ? share : undefined,
  }
}
