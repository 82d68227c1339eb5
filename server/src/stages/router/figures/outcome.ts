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

/** Sessions in which a student answered alone: only there is the outcome of the session one of it. Checks of the client always go to Claude. */
export const ALONE = `SELECT trace_id, min(student_id) AS student_id FROM route_decisions WHERE trace_id IS NOT NULL AND cause <> 'safety'
  GROUP BY trace_id HAVING count(student_id) = count(*) AND min(student_id) = max(student_id) AND max(fallback) = 0`

/** Answers of the student whose right or wrong is known. */
export const MEASURED = `${BY_STUDENT} AND (d.success IS NOT NULL
  OR (${RIGHT} IS NOT NULL AND d.trace_id IN (SELECT trace_id FROM (${ALONE}))))`
