import { ImportResult } from '#contracts/entities/capture.ts'
import { BulkChecks, CheckReport } from '#contracts/entities/check.ts'
import { OutcomeReport } from '#contracts/entities/outcome.ts'
import { RescorePreview } from '#contracts/entities/score.ts'
import { RebuildResult } from '#contracts/entities/system.ts'
import type { JobWords } from '#renderer/app/feature.ts'
import { listed, wordsFor } from '#renderer/app/job-words.ts'
import { traceHref } from '#renderer/app/links.ts'
import { bulkCheckSentence, checkSentence } from '#renderer/app/words/checks.ts'
import { formatBytes, formatCount, plural } from '#renderer/ui/format.ts'

const link = { href: '/traces', label: 'Traces' }

const importOutcome = wordsFor(ImportResult, ({ sessions, bytes, errors }) => ({
  sentence: listed(
    sessions.new > 0 ? plural(sessions.new, 'new session') : 'no new sessions',
    sessions.grown > 0 && `${formatCount(sessions.grown)} updated`,
    sessions.unchanged > 0 && `${formatCount(sessions.unchanged)} unchanged`,
    sessions.failed > 0 && `${formatCount(sessions.failed)} failed`,
    bytes > 0 && `${formatBytes(bytes)} read`,
    errors.length > 0 && plural(errors.length, 'line could not be read', 'lines could not be read'),
  ),
  link,
}))

export const TRACE_JOBS: readonly JobWords[] = [
  {
    kind: 'trace-checks',
    name: 'Checks of a session',
    outcome: wordsFor(CheckReport, (report, { subject }) => ({
      sentence: checkSentence(report),
      link: { href: subject === null ? '/traces' : traceHref(subject), label: 'Session' },
    })),
  },
  {
    kind: 'bulk-checks',
    name: 'Checks of sessions',
    outcome: wordsFor(BulkChecks, (result) => ({ sentence: bulkCheckSentence(result), link })),
  },
  {
    kind: 'outcomes',
    name: 'What happened after sessions',
    outcome: wordsFor(OutcomeReport, ({ traces, labels, problems }) => ({
      sentence: listed(
        plural(traces, 'session'),
        `${formatCount(labels.kept)} kept`,
        `${formatCount(labels.corrected)} corrected`,
        labels.open > 0 && `${formatCount(labels.open)} too early to tell`,
        labels.unknown > 0 && `${formatCount(labels.unknown)} unknown`,
        problems.length > 0 && plural(problems.length, 'repository could not be read', 'repositories could not be read'),
      ),
      link,
    })),
  },
  { kind: 'import', name: 'Import', outcome: importOutcome },
  { kind: 'samples', name: 'Sample sessions', outcome: importOutcome },
  {
    kind: 'rescore',
    name: 'Rescore',
    outcome: wordsFor(RescorePreview, ({ scored, moving }) => ({
      sentence: `${plural(scored, 'trace')} scored, ${formatCount(moving)} moved to another tier`,
      link,
    })),
  },
  {
    kind: 'rebuild',
    name: 'Rebuild',
    outcome: wordsFor(RebuildResult, ({ traces, records, problems, errors }) => ({
      sentence: listed(
        `${plural(traces, 'session')} rebuilt from ${plural(records, 'record')}`,
        problems.length > 0 && plural(problems.length, 'problem'),
        errors.length > 0 && plural(errors.length, 'invalid line', 'invalid lines'),
      ),
      link,
    })),
  },
  { kind: 'index', name: 'Search index' },
]
