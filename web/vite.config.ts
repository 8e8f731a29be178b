import react from '@vitejs/plugin-react'
import type { Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'
import { hashedScript } from './hashed-script.ts'
import { inLanguage } from './languages/language-plugin.ts'
import { LANGUAGES } from './languages/languages.ts'
import { precompress } from './precompress.ts'

/** The frame of lists, in one file. */
const LISTS = /features\/lists\/(?!list-search|column-layout)/

/** What the screens of flows share with each other alone. */
const FLOWS =
  /features\/flows\/(flow-(sentence|state|steps)|editor\/step-tree)|api\/generated\/(approvals|editor|flows)\.ts/

/** What the screens of checks, controls and exceptions share. */
const CHECKS =
  /features\/compliance\/(exceptions\/(end-exception-form|exception-(form|preview)|exception\.|exceptions-(panel|table)|preview-words)|affected-assets-table|checks\/check-change)|api\/generated\/(checks|compliance|compliance-lists)\.ts/

/** Modules that two or three screens share, and which the largest screens do not need at first. */
const SELDOM = new RegExp(
  [
    'features/changes/change-words',
    'features/compliance/check-form',
    'features/flows/approvals/',
    LISTS.source,
    FLOWS.source,
    CHECKS.source,
    'features/partners/partner-form',
    'features/reports/(new-report-form|report-preview|table-fields)',
    'features/scans/target-form',
    'features/tenancy/organisations/(demo-button|own-tenants)',
    'features/vulnerabilities/findings/(finding-(columns|decisions)|findings-of-asset)',
    'features/vulnerabilities/overrides/(approve-override-dialog|override-form|override-table)',
    'features/webhooks/webhook-status',
    'api/generated/(cloud|credentials|partners|statements)\\.ts',
  ].join('|'),
)

/**
 * Few and large: what the sign-in form needs, what several screens behind it share, and each screen's own. On a slow
 * line a request costs as much as 50 kB.
 */
const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  { name: 'start', tags: ['$initial'], priority: 2 },
  { name: 'shared', minShareCount: 2, priority: 1, test: (id) => !SELDOM.test(id) },
  { name: 'lists', minShareCount: 2, priority: 0, test: LISTS },
  { name: 'flows', minShareCount: 2, priority: 0, test: FLOWS },
  { name: 'checks', minShareCount: 2, priority: 0, test: CHECKS },
]

/** `vite build` builds the pages in the language of their sources, `vite build --mode de` lays the German ones beside. */
const languageOf = (mode: string): string | undefined => LANGUAGES.find((it) => it === mode)

/** The server allows no inline script or style, so nothing is inlined; /assets is a screen, so files lie in /static. */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [inLanguage(languageOf(mode)), react(), hashedScript('first-paint.js'), precompress()],
  build: {
    assetsDir: 'static',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: languageOf(mode) === undefined,
    manifest: languageOf(mode) === undefined ? true : `.vite/manifest.${mode}.json`,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
    target: 'es2023',
  },
  test: {
    include: [
      'src/**/*.test.ts',
      'docs/*.test.ts',
      'languages/*.test.ts',
      'verbs/*.test.ts',
      'e2e/**/*.test.ts',
    ],
    globalSetup: ['../server/test/support/database/test-database.ts'],
    isolate: false,
    maxWorkers: 2,
    testTimeout: 90_000,
    // a page is loaded beside other tests
    expect: { poll: { timeout: 30_000 } },
  },
  server: { proxy: { '^/(t/[^/]+/(graphql|live|files)|session|api|docs)': 'http://127.0.0.1:8080' } },
}))
