import { Alert, Button, Modal } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { messageOf } from '#api/errors.ts'
import { TestWebhookDocument, type WebhookRow } from '#api/generated/webhooks.ts'
import { useChange } from '#api/query-client.ts'
import { SkeletonBlock } from '#ui/skeleton.tsx'

interface TestDialogProps {
  readonly webhook: WebhookRow
  readonly onClose: () => void
}

/** Sends one signed test delivery when it opens, and shows the result. */
export function TestDialog({ webhook, onClose }: TestDialogProps) {
  const test = useChange(TestWebhookDocument, { isQuiet: true })
  const begin = useEffectEvent(() => test.mutate({ id: webhook.id }))
  useEffect(() => begin(), [])
  const result = test.data?.testWebhook
  return (
    <Modal opened onClose={onClose} title={`Test of ${webhook.name}`}>
      <p className="quiet">{webhook.url}</p>
      {test.isPending && <SkeletonBlock label="Waiting for the receiver" />}
      {test.error && (
        <Alert color="red" variant="light" role="alert" my="sm">
          {messageOf(test.error)}
        </Alert>
      )}
      {result && (
        <Alert
          color={result.success ? 'accent' : 'red'}
          variant="light"
          role="status"
          my="sm"
          title={result.success ? 'The receiver took it' : 'The receiver did not take it'}
        >
          {[result.status !== null && `Answered ${result.status}`, result.error, `after ${result.ms} ms`]
            .filter(Boolean)
            .join(' · ')}
        </Alert>
      )}
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ id: webhook.id })}>
        Test again
      </Button>
    </Modal>
  )
}
