/** As events name them: event triggers, and query triggers, which are asked again about assets that an event is about. */
export const TRIGGERS = 'flows.triggers'
export const QUERIES = 'flows.queries'
