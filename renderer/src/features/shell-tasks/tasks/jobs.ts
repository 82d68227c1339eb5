import { ShellGeneration } from '#contracts/entities/shell-generation.ts'
import { ShellTaskImport, ShellTaskValidated } from '#contracts/entities/shell-task.ts'
import type { JobWords } from '#renderer/app/feature.ts'
import { listed, wordsFor } from '#renderer/app/job-words.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'

export const SHELL_TASK_JOBS: readonly JobWords[] = [
  {
    kind: 'shell-tasks-import',
    name: 'Import of shell tasks',
    outcome: wordsFor(ShellTaskImport, ({ imported, duplicates, bad }) => ({
      sentence: listed(
        `${plural(imported, 'shell task')} imported`,
        duplicates.exact > 0 && `${plural(duplicates.exact, 'task')} already there`,
        duplicates.near > 0 && `${plural(duplicates.near, 'near duplicate')} skipped`,
        bad.length > 0 && plural(bad.length, 'bad line'),
      ),
      link: { href: '/shell-tasks', label: 'Shell tasks' },
    })),
  },
  {
    kind: 'shell-tasks-validate',
    name: 'Validation of shell tasks',
    outcome: wordsFor(ShellTaskValidated, ({ validated, valid, invalid, unknown }) => ({
      sentence: listed(
        `${plural(validated, 'shell task')} validated`,
        `${formatCount(valid)} valid`,
        invalid > 0 && `${formatCount(invalid)} invalid`,
        unknown > 0 && `${formatCount(unknown)} unknown`,
      ),
      link: { href: '/shell-tasks', label: 'Shell tasks' },
    })),
  },
  {
    kind: 'shell-tasks-generate',
    name: 'Generation of shell tasks',
    outcome: wordsFor(ShellGeneration, ({ kept, rejected, state, message }) => ({
      sentence: listed(
        `${plural(
          Object.values(kept).reduce((sum, count) => sum + count, 0),
          'shell task',
        )} generated`,
        rejected.length > 0 &&
          `${plural(
            rejected.reduce((sum, { count }) => sum + count, 0),
            'candidate',
          )} rejected`,
        state === 'budget' && 'stopped at its budget',
        state === 'failed' && (message ?? 'failed'),
      ),
      link: { href: '/shell-tasks', label: 'Shell tasks' },
    })),
  },
]
