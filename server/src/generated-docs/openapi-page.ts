import { apiDocument } from './api-document.ts'
import { features } from '../app.ts'

/** server/openapi.json. */
export const openApiPage = (): string => `${JSON.stringify(apiDocument(features), null, 2)}\n`
