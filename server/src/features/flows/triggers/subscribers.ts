/** The name by which events know the triggers of flows. */
export const TRIGGERS = 'flows.triggers'
