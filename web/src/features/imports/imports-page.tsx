import { Alert } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '#api/errors.ts'
import { usePermission } from '#api/use-permission.ts'
import { percent } from '#lib/numbers.ts'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { DropZone } from './drop-zone.tsx'
import { uploadInChunks } from '#api/chunked-upload.ts'
import { ImportHistory } from './import-history.tsx'

/** File upload and the list of earlier imports. */
export function ImportsPage() {
  const may = usePermission()
  const navigate = useNavigate()
  const [share, setShare] = useState(0)
  const upload = useMutation({
    mutationFn: (file: File) => uploadInChunks({ file, to: '/files/imports' }, setShare),
    onMutate: () => setShare(0),
    onSuccess: (importId) => navigate({ to: '/imports/$importId', params: { importId } }),
  })
  return (
    <Page
      title="Import"
      description="Lists that people keep, what nmap found, and lists of software. The same row in two files is one sighting, not two."
    >
      {upload.error && (
        <Alert color="red" variant="light" role="alert" title="The file cannot be taken">
          {messageOf(upload.error)}
        </Alert>
      )}
      {upload.isPending ? (
        <Panel title={`Uploading ${upload.variables.name}`}>
          <ProgressBar label="Uploaded" share={share} />
          <p className="quiet" role="status">
            {percent(share)}
          </p>
        </Panel>
      ) : (
        <DropZone isDisabled={!may('imports:write')} onFile={(file) => upload.mutate(file)} />
      )}
      <ImportHistory />
    </Page>
  )
}
