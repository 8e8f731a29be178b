import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Packages as Node itself finds them: one that has a copy for development would be there twice.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['test/support/database/test-database.ts'],
    setupFiles: ['test/schema/statement-guard.ts'],
    isolate: false,
    maxWorkers: 3, // on two cores: tests wait much for other programs
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
