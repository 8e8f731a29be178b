import { configDefaults, defineConfig } from 'vitest/config'

/** Meets a program that is in no registry tests may use; they are told where its source is (CONTRIBUTING.md). */
// oxlint-disable-next-line node/no-process-env
const GLPI_AGENT = process.env['GLPI_AGENT'] === undefined ? ['src/features/agents/glpi-agent.test.ts'] : []

export default defineConfig({
  // Packages as Node itself finds them: one that has a copy for development would be there twice.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...GLPI_AGENT],
    globalSetup: ['test/support/database/test-database.ts'],
    setupFiles: ['test/schema/statement-guard.ts'],
    isolate: false,
    maxWorkers: 3, // on two cores: tests wait much for other programs
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
