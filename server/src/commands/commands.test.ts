import { expect, test } from 'vitest'
import { maintenanceCommands } from './commands.ts'

test.each(['replace', 'check'])('restore refuses --%s beside --to, which would do nothing', async (other) => {
  const restore = maintenanceCommands.find(({ path }) => path === 'restore')
  const options = { to: '2026-11-24T13:00:00Z', [other]: true as const }
  const restoring = restore?.runStandalone(
    () => {
      throw new Error('read the settings')
    },
    { args: { file: '/nowhere' }, options },
    async () => {},
  )
  await expect(restoring).rejects.toMatchObject({ extras: { field: other } })
})
