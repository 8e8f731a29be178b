import { Button, FileButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, FileUp } from 'lucide-react'
import { messageOf } from '#api/errors.ts'
import { inTenant } from '#api/tenant-url.ts'
import { usePermission } from '#api/use-permission.ts'
import { toastDone, toastFailed } from '#ui/toast.ts'
import { vexImportSummary, importVex, VEX_URL } from './vex-file.ts'

/** Overrides as VEX documents, imported and exported. */
export function VexImportExport() {
  const may = usePermission()
  const client = useQueryClient()
  const importFile = useMutation({
    mutationFn: importVex,
    onSuccess: (result) => {
      void client.invalidateQueries()
      toastDone(vexImportSummary(result))
    },
    onError: (error) => toastFailed(messageOf(error)),
  })
  return (
    <>
      {may('overrides:write') && (
        <FileButton
          accept=".json,.vex,application/json"
          onChange={(file) => file && importFile.mutate(file)}
          inputProps={{ 'aria-label': 'VEX document' }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={importFile.isPending}
              leftSection={<FileUp size={14} aria-hidden />}
              title="An OpenVEX or CSAF document: what is not affected, or fixed, is closed"
            >
              Import VEX
            </Button>
          )}
        </FileButton>
      )}
      <Button
        variant="default"
        component="a"
        href={inTenant(VEX_URL)}
        leftSection={<Download size={14} aria-hidden />}
        title="The overrides in force, as an OpenVEX document"
      >
        Export VEX
      </Button>
    </>
  )
}
