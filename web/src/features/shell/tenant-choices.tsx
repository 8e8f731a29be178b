import { TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Building2, Check, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Tenant } from '#api/session.ts'
import { inTenant } from '#api/tenant-url.ts'
import { tenantsNamed } from '#features/tenancy/organisations/tenants-named.ts'
import { many } from '#lib/numbers.ts'
import styles from './tenant-choices.module.css'

/** More are found by their names. */
const SHOWN = 50

interface TenantChoicesProps {
  readonly tenants: readonly Tenant[]
  readonly current: string
  /** Called when another screen of the same organisation was chosen. */
  readonly onLeave: () => void
}

/** The organisations of a person, found by name; Enter goes to the first. */
export function TenantChoices({ tenants, current, onLeave }: TenantChoicesProps) {
  const [text, setText] = useState('')
  const box = useRef<HTMLInputElement>(null)
  // its script may come after the panel took the focus
  useEffect(() => box.current?.focus(), [])
  const found = tenantsNamed(tenants, text)
  return (
    <>
      <TextInput
        ref={box}
        aria-label="Find an organisation"
        placeholder="Find an organisation"
        leftSection={<Search size={14} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && text !== '' && found[0]) location.assign(inTenant('/', found[0].slug))
        }}
      />
      <p className={styles['hint']} aria-live="polite">
        {found.length === 0 ? 'None has this name' : 'Work in'}
      </p>
      <ul className={styles['list']}>
        {found.slice(0, SHOWN).map(({ id, slug, name }) => (
          <li key={id}>
            <a href={inTenant('/', slug)} className={styles['choice']}>
              {name}
              {id === current && <Check size={14} aria-label="current" />}
            </a>
          </li>
        ))}
      </ul>
      {found.length > SHOWN && <p className={styles['hint']}>and {many(found.length - SHOWN, 'other')}</p>}
      <Link to="/organisations" className={styles['all']} onClick={onLeave}>
        <Building2 size={14} aria-hidden /> All organisations
      </Link>
    </>
  )
}
