import { Button, Modal } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazyScreen } from '#api/lazy-screen.ts'
import { many } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Panel } from '#ui/panel.tsx'
import { PasswordForm } from './password-form.tsx'
import styles from './settings-page.module.css'
import { useRefreshSession } from './use-refresh-session.ts'

const NewCodesForm = lazyScreen(() => import('./second-factor-form.tsx'), 'NewCodesForm')
const RemoveForm = lazyScreen(() => import('./second-factor-form.tsx'), 'RemoveForm')
const EnrolForm = lazyScreen(() => import('./second-factor-form.tsx'), 'EnrolForm')

type AccountAction = 'password' | 'enrol' | 'codes' | 'remove'

/** Password, second factor and recovery codes of the person. */
export function AccountPanel() {
  const { user } = useRouteContext({ from: '/app' }).session
  const [doing, setDoing] = useState<AccountAction>()
  const [codes, setCodes] = useState<readonly string[]>()
  const renew = useRefreshSession()
  const done = () => {
    setDoing(undefined)
    void renew()
  }
  const show = (made: readonly string[]) => {
    setCodes(made)
    done()
  }
  return (
    <Panel title="Your account" aside={user.email}>
      {user.isSignedOn ? (
        <p className="quiet">
          You signed in through your organisation, which takes care of your password and second factor.
        </p>
      ) : (
        <>
          <div className={styles['row']}>
            <span>Password</span>
            <Button variant="default" onClick={() => setDoing('password')}>
              Change password
            </Button>
          </div>
          <SecondFactor user={user} onAction={setDoing} />
        </>
      )}
      {doing === 'password' && <PasswordForm onClose={done} />}
      {doing === 'enrol' && (
        <Suspense fallback={null}>
          <EnrolForm onCodes={show} onClose={done} />
        </Suspense>
      )}
      {doing === 'codes' && (
        <Suspense fallback={null}>
          <NewCodesForm onCodes={show} onClose={done} />
        </Suspense>
      )}
      {doing === 'remove' && (
        <Suspense fallback={null}>
          <RemoveForm onClose={done} />
        </Suspense>
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
    </Panel>
  )
}

interface SecondFactorProps {
  readonly user: { readonly hasSecondFactor: boolean; readonly recoveryCodesLeft: number }
  readonly onAction: (action: AccountAction) => void
}

function SecondFactor({ user, onAction }: SecondFactorProps) {
  if (!user.hasSecondFactor)
    return (
      <div className={styles['row']}>
        <span>
          Second factor <Badge sign="○">Off</Badge>
        </span>
        <Button variant="default" onClick={() => onAction('enrol')}>
          Set up
        </Button>
      </div>
    )
  return (
    <div className={styles['row']}>
      <span>
        Second factor{' '}
        <Badge tone="good" sign="✓">
          On
        </Badge>{' '}
        <span className="quiet">{many(user.recoveryCodesLeft, 'recovery code')} left</span>
      </span>
      <span className={styles['buttons']}>
        <Button variant="default" onClick={() => onAction('codes')}>
          New recovery codes
        </Button>
        <Button variant="default" color="red" onClick={() => onAction('remove')}>
          Remove
        </Button>
      </span>
    </div>
  )
}

interface RecoveryCodesProps {
  readonly codes: readonly string[] | undefined
  readonly onClose: () => void
}

function RecoveryCodes({ codes = [], onClose }: RecoveryCodesProps) {
  return (
    <Modal
      opened={codes.length > 0}
      onClose={onClose}
      title="Recovery codes"
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <p>
        Each signs you in once, when the app is out of reach. Those from before work no more. They are shown
        this once.
      </p>
      <ul className={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <span className={styles['row']}>
        <CopyButton value={codes.join('\n')} label="Copy the codes" />
        <Button onClick={onClose} data-autofocus>
          I have stored them
        </Button>
      </span>
    </Modal>
  )
}
