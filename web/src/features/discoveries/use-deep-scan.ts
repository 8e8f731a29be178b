import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CredentialsDocument } from '#api/generated/credentials.ts'
import {
  CreateDiscoveryDocument,
  DiscoveriesDocument,
  StartDiscoveryDocument,
} from '#api/generated/discoveries.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'

interface Target {
  readonly id: string
  readonly name: string
}

/**
 * Looks into every live host of a target with the credentials that are bound to it: runs the discovery of the target,
 * which is made where there is none. `lacksCredentials`: nothing could log in, so it would be a sweep.
 */
export function useDeepScan() {
  const may = usePermission()
  const navigate = useNavigate()
  const credentials = useQuery({
    ...q(CredentialsDocument, { first: 1, offset: 0 }),
    enabled: may('credentials:read'),
  })
  const { data } = useQuery(q(DiscoveriesDocument, {}))
  const start = useChange(StartDiscoveryDocument, {
    done: 'Deep scan started',
    onDone: ({ startDiscovery }) =>
      void navigate({ to: '/discoveries/$runId', params: { runId: startDiscovery.id } }),
  })
  const create = useChange(CreateDiscoveryDocument, {
    onDone: ({ createDiscovery }) => start.mutate({ id: createDiscovery.id }),
  })
  return {
    isReady: data !== undefined,
    lacksCredentials: credentials.data?.credentials.total === 0,
    begin: ({ id, name }: Target) => {
      const known = data?.discoveries.find(({ targetId }) => targetId === id)
      if (known) start.mutate({ id: known.id })
      else create.mutate({ name: `Deep scan of ${name}`, targetId: id })
    },
    storeCredentials: () => void navigate({ to: '/credentials' }),
  }
}
