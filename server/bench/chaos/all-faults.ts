import { furtherFaults } from './further-faults.ts'
import { processFaults } from './faults.ts'

export const faultInjections = { ...processFaults, ...furtherFaults }

export type FaultName = keyof typeof faultInjections
