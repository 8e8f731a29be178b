import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { readDefinition } from './definition/read-definition.ts'
import { readyFlows } from './ready-flows.ts'

const home = sharedTestApp()

test.each(readyFlows.map((it) => [it.id, it] as const))(
  '%s can be published as it is',
  async (_, { definition }) => {
    expect((await readDefinition(home().runtime.system, definition)).steps.length).toBeGreaterThan(0)
  },
)
