import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, messageOf } from '#api/errors.ts'
import { useMay } from '#api/use-may.ts'
import { Page } from '#ui/page.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { DropZone } from './drop-zone.tsx'
import { FILE_BYTES_MAX, previewFile, takeFile } from './import-file.ts'
import { ImportOutcome } from './import-outcome.tsx'
import { ImportReview } from './import-review.tsx'

export function ImportsPage() {
  const may = useMay()
  const { file, ignoresUnknown, look, preview, take, begin } = useImport()
  const problem = look.error ?? take.error
  return (
    <Page
      title="Import"
      description="Lists that people keep, and what nmap found. The same row in two files is one sighting, not two."
    >
      {problem && (
        <Alert color="red" variant="light" role="alert" title="The file cannot be taken">
          <p>{messageOf(problem)}</p>
          {file && look.error && !ignoresUnknown && (
            <Button mt="xs" variant="default" onClick={() => look.mutate({ file, ignoreUnknown: true })}>
              Read it without unknown columns
            </Button>
          )}
        </Alert>
      )}
      {look.isPending && <SkeletonBlock label="Reading the file" />}
      {!preview && !take.data && !look.isPending && (
        <DropZone isDisabled={!may('imports:write')} onFile={(chosen) => look.mutate({ file: chosen })} />
      )}
      {file && preview && !take.data && (
        <ImportReview
          file={file}
          preview={preview}
          ignoresUnknown={ignoresUnknown}
          isBusy={take.isPending}
          onIgnoreUnknown={(ignoreUnknown) => look.mutate({ file, ignoreUnknown })}
          onImport={() => take.mutate()}
          onCancel={begin}
        />
      )}
      {file && take.data && <ImportOutcome fileName={file.name} result={take.data} onAnother={begin} />}
    </Page>
  )
}

interface Look {
  readonly file: File
  readonly ignoreUnknown?: boolean
}

/** First a look at the file, then, if the person wants it, the import. */
function useImport() {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Look>()
  const look = useMutation({
    mutationFn: ({ file, ignoreUnknown = false }: Look) => {
      if (file.size > FILE_BYTES_MAX) throw new ApiError('invalid_request', 'It is larger than 20 MB')
      return previewFile(file, ignoreUnknown)
    },
    onMutate: (what) => {
      setChosen(what)
      take.reset()
    },
  })
  const take = useMutation({
    mutationFn: () => {
      if (!chosen) throw new ApiError('invalid_request', 'Choose a file first')
      return takeFile(chosen.file, chosen.ignoreUnknown ?? false)
    },
    onSuccess: () => client.invalidateQueries(),
  })
  const begin = () => {
    look.reset()
    take.reset()
  }
  return {
    file: chosen?.file,
    ignoresUnknown: chosen?.ignoreUnknown ?? false,
    look,
    preview: look.data,
    take,
    begin,
  }
}
