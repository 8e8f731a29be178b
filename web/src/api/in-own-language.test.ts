import { expect, test } from 'vitest'
import { ComplianceCheckDocument, ComplianceOfAssetDocument } from './generated/checks.ts'
import { OF_FIELDS } from './in-own-language.ts'

test.each([ComplianceCheckDocument, ComplianceOfAssetDocument])(
  'what checks ask, and who tells it, is translated in $name',
  ({ name, text }) => {
    expect(text).toMatch(/asks\s*\{/)
    expect(name).toMatch(OF_FIELDS)
  },
)
