/** Decisions with what is known of their sessions. */
export const WITH_SESSION = `route_decisions d LEFT JOIN session_heads h ON h.id = d.trace_id
  LEFT JOIN trace_answer_scores g ON g.trace_id = d.trace_id`

const SCORED = "h.quality IS NOT NULL AND h.state = 'ended'"
/** Where an outcome is from, the most direct first; null: it is not measured. */
export const OUTCOME_FROM = `CASE WHEN d.success IS NOT NULL THEN 'report' WHEN h.verification IN ('passed', 'failed') THEN 'verification'
  WHEN g.score IS NOT NULL THEN 'grade' WHEN ${SCORED} THEN 'score' END`
/** From 0, wrong, to 1, right. */
const VALUE = "coalesce(d.success, CASE h.verification WHEN 'passed' THEN 1.0 WHEN 'failed' THEN 0.0 END, g.score"
export const OUTCOME = `${VALUE}, CASE WHEN ${SCORED} THEN h.quality END)`

/** Without the score, which says nothing about right or wrong. */
export const RIGHT = `${VALUE})`

export const BY_STUDENT = 'd.student_id IS NOT NULL AND d.fallback = 0 AND d.error IS NULL'

/**
 * The outcome of a session is one of the student only where it answered alone. Checks of the client always go to Claude.
 */
export const ALONE = `NOT EXISTS (SELECT 1 FROM route_decisions o WHERE o.trace_id = d.trace_id AND o.cause <> 'safety'
  AND (o.student_id IS NOT d.student_id OR o.fallback = 1))`

/** Answers of the student whose right or wrong is known. */
export const MEASURED = `${BY_STUDENT} AND (d.success IS NOT NULL OR (${RIGHT} IS NOT NULL AND ${ALONE}))`
