/** As events name the event triggers of flows. */
export const TRIGGERS = 'flows.triggers'
