import { expect, test } from 'vitest'
import { LoginPace, type Answered } from './login-pace.ts'

const [ok, no]: readonly Answered[] = ['answered', 'silent']

test.each<[readonly (Answered | undefined)[], number, string]>([
  [[], 16, ''],
  [[ok, ok], 16, ''],
  [[no], 8, 'logins slowed to 8 of 16 hosts at once: 1 login at an open port had no answer'],
  [[no, no, no], 2, 'logins slowed to 2 of 16 hosts at once: 3 logins at an open port had no answer'],
  [
    [no, no, no, no, no, no],
    1,
    'logins slowed to 1 of 16 hosts at once: 6 logins at an open port had no answer',
  ],
  [[no, ok, ok], 10, 'logins slowed to 8 of 16 hosts at once: 1 login at an open port had no answer'],
  [
    [no, ...Array.from({ length: 9 }, () => ok)],
    16,
    'logins were slowed to 8 of 16 hosts at once: 1 login at an open port had no answer',
  ],
])('after %j %i hosts are logged in to at once', (heard, atOnce, slowed) => {
  const pace = new LoginPace(16)
  for (const it of heard) if (it) pace.heard(it)
  expect([pace.atOnce, pace.slowed]).toEqual([atOnce, slowed])
})
