/** From this score on, two observations are linked unless a veto holds. */
export const LINK_SCORE = 0.9
/** From this score on, a pair is listed as a possible duplicate. */
export const CANDIDATE_SCORE = 0.6
