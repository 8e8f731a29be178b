import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { precompress } from './precompress.ts'

/** The server allows no inline script or style, so nothing is inlined; /assets is a screen, so files lie in /static. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), precompress()],
  build: {
    assetsDir: 'static',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    target: 'es2023',
  },
  test: { include: ['src/**/*.test.ts', 'e2e/**/*.test.ts'], isolate: false, testTimeout: 90_000 },
  server: { proxy: { '^/(t/[^/]+/(graphql|live|files)|session|api|docs)': 'http://127.0.0.1:8080' } },
})
