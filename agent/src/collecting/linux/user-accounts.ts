import { present, type Json } from '../../json.ts'
import type { Machine } from '../machine.ts'

const UID_MIN = 1_000
/** nobody */
const UID_MAX = 60_000
const ADMIN_GROUPS: ReadonlySet<string> = new Set(['sudo', 'wheel', 'admin', 'root'])

/** Accounts of people, and root. Password hashes are never opened. */
export async function userAccounts(machine: Machine): Promise<Json> {
  const groups = rowsIn((await machine.read('/etc/group')) ?? '')
  const administrators = new Set(
    groups.filter(([name = '']) => ADMIN_GROUPS.has(name)).flatMap((it) => (it[3] ?? '').split(',')),
  )
  const sudo = groups.filter(([name = '']) => ADMIN_GROUPS.has(name)).map((it) => it[2])
  return rowsIn((await machine.read('/etc/passwd')) ?? '')
    .filter(([, , uid]) => uid === '0' || (Number(uid) >= UID_MIN && Number(uid) < UID_MAX))
    .map(([name = '', , uid = '', gid = '', , home = '', shell = '']) =>
      present({
        name,
        uid: Number(uid),
        home,
        canLogIn: !/(nologin|false)$/.test(shell),
        isAdministrator: uid === '0' || administrators.has(name) || sudo.includes(gid),
      }),
    )
}

const rowsIn = (text: string): string[][] =>
  text
    .split('\n')
    .filter((it) => it.includes(':') && !it.startsWith('#'))
    .map((it) => it.split(':'))
