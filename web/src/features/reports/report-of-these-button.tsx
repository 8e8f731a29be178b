import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { FileChartColumn } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { usePermission } from '#api/use-permission.ts'
import type { ReportScope } from './new-report-form.tsx'

const NewReportForm = lazy(async () => ({ default: (await import('./new-report-form.tsx')).NewReportForm }))

/** A report of the assets that are named, or of the assets or findings that a condition finds. */
export function ReportOfTheseButton(of: ReportScope) {
  const may = usePermission()
  const navigate = useNavigate()
  const [isMaking, making] = useDisclosure(false)
  if (!may('reports:write')) return null
  return (
    <>
      <Button variant="default" leftSection={<FileChartColumn size={14} aria-hidden />} onClick={making.open}>
        Report
      </Button>
      {isMaking && (
        <Suspense>
          <NewReportForm
            isOpen
            of={of}
            onCreated={(reportId) => void navigate({ to: '/reports/$reportId', params: { reportId } })}
            onClose={making.close}
          />
        </Suspense>
      )}
    </>
  )
}
