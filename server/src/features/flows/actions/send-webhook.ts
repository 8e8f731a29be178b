import { Type } from 'typebox'
import { sendMessage } from '#features/webhooks/webhooks.ts'
import { namedUuid } from '#platform/uuid.ts'
import type { InnerAction } from './action.ts'

/** Namespace of event ids (UUID version 5); the name is run, step and item, so a step that is tried again has the same id. */
const NAMESPACE = '6f1d3c52-4f0e-5b0a-9a53-3d2c1e7a9b10'

export const sendWebhookAction: InnerAction = {
  name: 'send_webhook',
  kind: 'inner',
  label: 'Send through a webhook',
  sentence: 'Sends a message to one webhook endpoint, signed and retried as its events are.',
  settings: Type.Object({
    endpoint: Type.String({ title: 'Webhook', pick: 'webhook', format: 'uuid' }),
    message: Type.String({ title: 'Message', minLength: 1, maxLength: 10_000 }),
  }),
  templates: ['message'],
  outputs: ['eventId'],
  permission: 'webhooks:write',
  async run(ctx, settings, { idempotencyKey, runId, assetId, values }) {
    const { endpoint, message } = settings as { endpoint: string; message: string }
    const eventId = namedUuid(NAMESPACE, idempotencyKey)
    const { flow_id: flowId } = values['run'] as { flow_id: string }
    const payload = { flow_id: flowId, execution_id: runId, ...(assetId && { asset_id: assetId }), message }
    await sendMessage(ctx, { endpointId: endpoint, eventId, type: 'flow.message', payload })
    return { eventId }
  },
}
