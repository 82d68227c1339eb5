import type { Migration } from '#server/db/schema.ts'

/** Beside other wordings of an example, a model may write new tasks like it: what each row is, and what each run asked for. */
export const syntheticTasks: Migration = {
  number: 13,
  name: 'synthetic-tasks',
  sql: `
    ALTER TABLE example_variants ADD COLUMN made TEXT NOT NULL DEFAULT 'variants'; -- variants, tasks
    ALTER TABLE augment_answers ADD COLUMN made TEXT NOT NULL DEFAULT 'variants';
    UPDATE augment_runs
    SET plan = json_remove(json_set(plan, '$.make', 'variants', '$.source', json_extract(plan, '$.selection')), '$.selection')
    WHERE json_extract(plan, '$.selection') IS NOT NULL;
  `,
}
