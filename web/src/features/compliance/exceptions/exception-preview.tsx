import { Alert } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ComplianceExceptionPreviewDocument } from '#api/generated/checks.ts'
import { messageOf } from '#api/errors.ts'
import { q } from '#api/query-client.ts'
import { changesInWords, coveredInWords } from './preview-words.ts'

const TYPING_MS = 400
const NAMES_MAX = 5

interface ExceptionPreviewProps {
  /** Undefined: it is not said yet of which assets. */
  readonly target: Readonly<Record<string, string | null>> | undefined
}

/** How many assets the exception would cover, which, and what would become of controls; asked while it is written. */
export function ExceptionPreview({ target }: ExceptionPreviewProps) {
  const [asked] = useDebouncedValue(target && JSON.stringify(target), TYPING_MS)
  const { data, error } = useQuery({
    ...q(ComplianceExceptionPreviewDocument, asked === undefined ? {} : JSON.parse(asked)),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (target === undefined) return null
  if (error)
    return (
      <Alert color="yellow" variant="light">
        {messageOf(error)}
      </Alert>
    )
  const preview = data?.complianceExceptionPreview
  const names = preview?.listed.slice(0, NAMES_MAX).map(({ name }) => name) ?? []
  return (
    <div aria-live="polite" role="status">
      {preview ? (
        <>
          <strong>{coveredInWords(preview)}</strong>
          {names.length > 0 && (
            <div className="quiet">
              {names.join(', ')}
              {preview.failing > names.length && ' …'}
            </div>
          )}
          {preview.controls !== null && preview.failing > 0 && (
            <div className="quiet">{changesInWords(preview.controls)}</div>
          )}
        </>
      ) : (
        <span className="quiet">Counting what it covers…</span>
      )}
    </div>
  )
}
