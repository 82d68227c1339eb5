import type { Migration } from './migration.ts'
import { infrastructure } from './0001-infrastructure.ts'
import { capture } from './0002-capture.ts'
import { traces } from './0003-traces.ts'
import { scoring } from './0004-scoring.ts'
import { privacy } from './0005-privacy.ts'
import { factory } from './0006-factory.ts'
import { datasets } from './0007-datasets.ts'
import { pairs } from './0008-pairs.ts'
import { augment } from './0009-augment.ts'
import { gym } from './0010-gym.ts'
import { models } from './0011-models.ts'
import { jobSubjects } from './0012-job-subjects.ts'
import { syntheticTasks } from './0013-synthetic-tasks.ts'
import { scoreWords } from './0014-score-words.ts'

/** In order, for ever: number n brings a database to `user_version` n. A released one is never edited. */
export const migrations: readonly Migration[] = [
  infrastructure,
  capture,
  traces,
  scoring,
  privacy,
  factory,
  datasets,
  pairs,
  augment,
  gym,
  models,
  jobSubjects,
  syntheticTasks,
  scoreWords,
]
