import {
  AcceptHostKeyDocument,
  ApproveHostKeyDocument,
  ForgetHostKeyDocument,
  type HostKeyRow,
} from '#api/generated/credentials.ts'
import { useChange } from '#api/query-client.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'

interface DialogProps {
  readonly hostKey: HostKeyRow | undefined
  readonly onClose: () => void
}

/** A known host presented another key than before. */
export function AcceptHostKeyDialog({ hostKey, onClose }: DialogProps) {
  const accept = useChange(AcceptHostKeyDocument, { done: 'New key accepted', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={hostKey !== undefined}
      title={`Accept the new key of ${hostKey?.address ?? ''}?`}
      action="Accept new key"
      isDestructive
      isBusy={accept.isPending}
      onConfirm={() => hostKey && accept.mutate({ id: hostKey.id })}
      onClose={onClose}
    >
      <p>
        Known key: <code>{hostKey?.fingerprint}</code> ({hostKey?.algorithm})
      </p>
      <p>
        Key shown now: <code>{hostKey?.offeredFingerprint}</code> ({hostKey?.offeredAlgorithm})
      </p>
      <p>
        Accept it if the host was installed again. If nobody knows why the key changed, another machine may
        answer in its place, and would be sent the passwords of this network.
      </p>
    </ConfirmDialog>
  )
}

/** A scan reached an unknown host: approve or refuse its key. */
export function ApproveHostKeyDialog({ hostKey, onClose }: DialogProps) {
  const approve = useChange(ApproveHostKeyDocument, {
    done: 'Key approved: the scan can be repeated',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      isOpen={hostKey !== undefined}
      title={`Approve the key of ${hostKey?.address ?? ''}, port ${hostKey?.port ?? ''}?`}
      action="Approve key"
      isBusy={approve.isPending}
      onConfirm={() => hostKey && approve.mutate({ id: hostKey.id, fingerprint: hostKey.fingerprint })}
      onClose={onClose}
    >
      <p>
        {hostKey?.algorithm === 'tls' ? 'Its certificate has' : `It shows the ${hostKey?.algorithm} key with`}{' '}
        the fingerprint <code>{hostKey?.fingerprint}</code>.
      </p>
      <p>
        Compare it on the host itself:{' '}
        <code>
          {hostKey?.algorithm === 'tls'
            ? 'openssl x509 -outform der -in CERTIFICATE | openssl dgst -sha256 -binary | base64'
            : 'ssh-keygen -l -f /etc/ssh/ssh_host_…_key.pub'}
        </code>
        . Once it is approved, scans send this host the passwords of its network.
      </p>
    </ConfirmDialog>
  )
}

/** Of a key that is forgotten, the next scan cannot tell whether the host is the same. */
export function ForgetHostKeyDialog({ hostKey, onClose }: DialogProps) {
  const forget = useChange(ForgetHostKeyDocument, { done: 'Host key forgotten', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={hostKey !== undefined}
      title={`Forget the key of ${hostKey?.address ?? ''}, port ${hostKey?.port ?? ''}?`}
      action="Forget key"
      isDestructive
      isBusy={forget.isPending}
      onConfirm={() => hostKey && forget.mutate({ id: hostKey.id })}
      onClose={onClose}
    >
      <p>
        <code>{hostKey?.fingerprint}</code>
      </p>
      <p>
        The next scan meets the host as an unknown one: it cannot tell whether it is still the same machine.
      </p>
    </ConfirmDialog>
  )
}
