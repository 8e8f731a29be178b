import { expect, test } from 'vitest'
import { sharedData } from '#test/support/shared-data.ts'
import { readCorpus } from './recognition-corpus.ts'
import { qualityOf, shareOf } from './recognition-quality.ts'

sharedData('recognition', 'recognition of labelled devices', (folder) => {
  test('is right as often as was promised, and wrong with high confidence hardly ever', () => {
    const { vendors, types, others, high } = qualityOf(readCorpus(folder))
    expect(shareOf(vendors)).toBeGreaterThanOrEqual(0.97)
    expect(shareOf(types)).toBeGreaterThanOrEqual(0.8)
    expect(shareOf(others)).toBeGreaterThanOrEqual(0.8)
    expect(shareOf(high)).toBeGreaterThanOrEqual(0.98)
  })
})
