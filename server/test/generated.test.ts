import { expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { maintenanceCommands } from '../src/commands/commands.ts'
import { checkGenerated } from '../src/generated-docs/generate.ts'

test('the files that are made from code are up to date; npm run generate writes them', async () => {
  expect(
    (await checkGenerated([...maintenanceCommands, ...features.flatMap((it) => it.commands ?? [])])).json,
  ).toEqual({ outdated: [] })
})
