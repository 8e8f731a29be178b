import { azure } from './azure.ts'
import type { Connector } from './connector.ts'

export const connectors: readonly Connector[] = [azure]
