import type { Migration } from '#server/db/schema.ts'

/** Which of two answers is better, and what is needed to make a row of them. */
export const shadowVerdicts: Migration = {
  number: 61,
  name: 'shadow verdicts',
  sql: `
    ALTER TABLE shadow_answers ADD COLUMN pair TEXT; -- messages, tools and both answers; null: it did not answer, or an earlier version stored it
    ALTER TABLE shadow_answers ADD COLUMN unfit TEXT; -- why the two answers are no pair to learn from
    ALTER TABLE shadow_answers ADD COLUMN verdict TEXT; -- of the student's answer: better, worse or same
    ALTER TABLE shadow_answers ADD COLUMN verdict_by TEXT; -- the model that judged; null: the user
  `,
}
