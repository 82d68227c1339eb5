import { lookup } from '#contracts/lookup.ts'
import type { z } from 'zod'
import { AugmentRun } from '#contracts/entities/augment.ts'
import { ImportResult } from '#contracts/entities/capture.ts'
import { DatasetBuilt, RowImport } from '#contracts/entities/dataset.ts'
import { ExamplesMade, PairsFound } from '#contracts/entities/example.ts'
import type { Job } from '#contracts/entities/job.ts'
import { Artifact } from '#contracts/entities/model.ts'
import { LengthReport } from '#contracts/entities/preview.ts'
import { PrivacyScanned } from '#contracts/entities/privacy.ts'
import { TrainingEnvironment } from '#contracts/entities/run.ts'
import { RescorePreview } from '#contracts/entities/score.ts'
import { RebuildResult } from '#contracts/entities/system.ts'
import { datasetHref, modelHref } from '#renderer/app/links.ts'
import { formatBytes, formatCompact, formatCount, formatPercent, formatUsd, plural } from '#renderer/ui/format.ts'

/** What came of a job in one line, and where to see it. */
export interface Outcome {
  sentence: string
  link?: { href: string; label: string }
}

const list = (...parts: (string | null | false)[]): string => parts.filter(Boolean).join(', ')
const sum = (counts: readonly { count: number }[]): number => counts.reduce((total, { count }) => total + count, 0)

/** Words for the results of one kind of job. */
const wordsFor =
  <Result>(shape: z.ZodType<Result>, words: (result: Result, job: Job) => Outcome) =>
  (job: Job): Outcome | null => {
    const read = shape.safeParse(job.result)
    return read.success ? words(read.data, job) : null
  }

const imported = wordsFor(ImportResult, ({ sessions, bytes, errors }) => ({
  sentence: list(
    sessions.new > 0 ? plural(sessions.new, 'new session') : 'no new sessions',
    sessions.grown > 0 && `${formatCount(sessions.grown)} updated`,
    sessions.unchanged > 0 && `${formatCount(sessions.unchanged)} unchanged`,
    sessions.failed > 0 && `${formatCount(sessions.failed)} failed`,
    bytes > 0 && `${formatBytes(bytes)} read`,
    errors.length > 0 && plural(errors.length, 'line could not be read', 'lines could not be read'),
  ),
  link: { href: '/traces', label: 'Traces' },
}))

const OUTCOMES: Record<string, (job: Job) => Outcome | null> = lookup({
  import: imported,
  samples: imported,
  rescore: wordsFor(RescorePreview, ({ scored, moving }) => ({
    sentence: `${plural(scored, 'trace')} scored, ${formatCount(moving)} moved to another tier`,
    link: { href: '/traces', label: 'Traces' },
  })),
  rebuild: wordsFor(RebuildResult, ({ traces, records, problems, errors }) => ({
    sentence: list(
      `${plural(traces, 'session')} rebuilt from ${plural(records, 'record')}`,
      problems.length > 0 && plural(problems.length, 'problem'),
      errors.length > 0 && plural(errors.length, 'invalid line', 'invalid lines'),
    ),
    link: { href: '/traces', label: 'Traces' },
  })),
  'privacy-scan': wordsFor(PrivacyScanned, ({ scanned, failed }) => ({
    sentence: list(`${plural(scanned, 'session')} scanned`, failed > 0 && `${formatCount(failed)} could not be read`),
    link: { href: '/privacy', label: 'Findings' },
  })),
  examples: wordsFor(ExamplesMade, ({ traces, examples, excluded, failed }) => ({
    sentence: list(
      `${plural(examples, 'example')} from ${plural(traces, 'session')}`,
      sum(excluded) > 0 && `${formatCount(sum(excluded))} excluded`,
      failed.length > 0 && `${plural(failed.length, 'session')} could not be read`,
    ),
    link: { href: '/factory/examples?state=proposed', label: 'Review examples' },
  })),
  pairs: wordsFor(PairsFound, ({ sessions, pairs, left }) => ({
    sentence: list(`${plural(pairs, 'pair')} in ${plural(sessions, 'session')}`, sum(left) > 0 && `${formatCount(sum(left))} excluded`),
    link: { href: '/factory/pairs', label: 'Review pairs' },
  })),
  augment: wordsFor(AugmentRun, ({ done, total, kept, rejected, failed, spentUsd, tokens, message }) => ({
    sentence: `${list(
      `${formatCount(done)} of ${formatCount(total)} answered`,
      `${formatCount(kept)} kept`,
      sum(rejected) > 0 && `${formatCount(sum(rejected))} dropped`,
      sum(failed) > 0 && `${formatCount(sum(failed))} failed`,
      spentUsd === null ? 'cost unknown' : formatUsd(spentUsd),
      `${formatCompact(tokens.input + tokens.output)} tokens`,
    )}${message ? `. ${message}` : ''}`,
    link: { href: '/factory/examples?flag=generated', label: 'Generated examples' },
  })),
  dataset: wordsFor(DatasetBuilt, ({ id, name, version, counts, excluded }) => ({
    sentence: list(
      `${name} v${version}: ${plural(counts.train + counts.val + counts.test, 'row')}`,
      `${formatCount(counts.val)} for validation`,
      counts.test > 0 && `${formatCount(counts.test)} for testing`,
      sum(excluded) > 0 && `${formatCount(sum(excluded))} excluded`,
    ),
    link: { href: datasetHref(id), label: 'Open data set' },
  })),
  'dataset-import': wordsFor(RowImport, ({ collection, read, errorCount }) => ({
    sentence: list(
      collection === null
        ? `none of ${plural(read, 'row')} imported`
        : `${formatCount(collection.rows)} of ${plural(read, 'row')} imported as ${collection.name}`,
      errorCount > 0 && plural(errorCount, 'row has errors', 'rows have errors'),
    ),
    link: { href: '/factory/datasets/import', label: 'Imported rows' },
  })),
  lengths: wordsFor(LengthReport, ({ rows, p50, max, maxTokens, truncated, exact }, { subject }) => ({
    sentence: list(
      `${plural(rows, 'row')} measured${exact ? '' : ' (estimate)'}`,
      `median ${formatCount(p50)} tokens`,
      `longest ${formatCount(max)}`,
      maxTokens !== null &&
        truncated !== null &&
        `${formatPercent(rows > 0 ? truncated / rows : null)} longer than ${formatCount(maxTokens)}`,
    ),
    ...(subject !== null && { link: { href: datasetHref(subject), label: 'Open data set' } }),
  })),
  'model-export': wordsFor(Artifact, ({ format, quantization, bytes, parity }, { subject }) => ({
    sentence: list(
      `${quantization === null ? format : `${format} ${quantization}`}, ${formatBytes(bytes)}`,
      parity ? `${formatCount(parity.sameText)} of ${plural(parity.prompts, 'answer')} identical` : 'not compared with the original model',
    ),
    ...(subject !== null && { link: { href: modelHref(subject), label: 'Open model' } }),
  })),
  'training-environment': wordsFor(TrainingEnvironment, ({ state, version, packages, bytes }) => ({
    sentence: list(
      state === 'ready' ? 'ready' : `state: ${state}`,
      version !== null && `Python ${version}`,
      plural(packages.length, 'package'),
      bytes !== null && formatBytes(bytes),
    ),
    link: { href: '/settings/training', label: 'Settings → Training' },
  })),
})

/** Null where the job has no result, or one without words. */
export const outcomeOf = (job: Job): Outcome | null => OUTCOMES[job.kind]?.(job) ?? null
