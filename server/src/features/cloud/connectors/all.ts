import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { gcp } from './gcp.ts'
import { kubernetes } from './kubernetes.ts'
import type { Connector } from './connector.ts'

export const connectors: readonly Connector[] = [aws, azure, gcp, kubernetes]
