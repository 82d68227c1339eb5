import { AugmentRun } from '#contracts/entities/augment.ts'
import { DatasetBuilt, RowImport } from '#contracts/entities/dataset.ts'
import { ExamplesMade, PairsFound } from '#contracts/entities/example.ts'
import { LengthReport } from '#contracts/entities/preview.ts'
import type { JobWords } from '#renderer/app/feature.ts'
import { listed, sumOf, wordsFor } from '#renderer/app/job-words.ts'
import { datasetHref } from '#renderer/app/links.ts'
import { formatCompact, formatCount, formatPercent, formatUsd, plural } from '#renderer/ui/format.ts'

export const FACTORY_JOBS: readonly JobWords[] = [
  {
    kind: 'examples',
    name: 'Examples',
    outcome: wordsFor(ExamplesMade, ({ traces, examples, excluded, failed }) => ({
      sentence: listed(
        `${plural(examples, 'example')} from ${plural(traces, 'session')}`,
        sumOf(excluded) > 0 && `${formatCount(sumOf(excluded))} excluded`,
        failed.length > 0 && `${plural(failed.length, 'session')} could not be read`,
      ),
      link: { href: '/factory/examples?state=proposed', label: 'Review examples' },
    })),
  },
  {
    kind: 'pairs',
    name: 'Pairs',
    outcome: wordsFor(PairsFound, ({ sessions, pairs, left }) => ({
      sentence: listed(
        `${plural(pairs, 'pair')} in ${plural(sessions, 'session')}`,
        sumOf(left) > 0 && `${formatCount(sumOf(left))} excluded`,
      ),
      link: { href: '/factory/pairs', label: 'Review pairs' },
    })),
  },
  {
    kind: 'augment',
    name: 'Generated examples',
    outcome: wordsFor(AugmentRun, ({ done, total, kept, rejected, failed, spentUsd, tokens, message }) => ({
      sentence: `${listed(
        `${formatCount(done)} of ${formatCount(total)} answered`,
        `${formatCount(kept)} kept`,
        sumOf(rejected) > 0 && `${formatCount(sumOf(rejected))} dropped`,
        sumOf(failed) > 0 && `${formatCount(sumOf(failed))} failed`,
        spentUsd === null ? 'cost unknown' : formatUsd(spentUsd),
        `${formatCompact(tokens.input + tokens.output)} tokens`,
      )}${message ? `. ${message}` : ''}`,
      link: { href: '/factory/examples?flag=generated', label: 'Generated examples' },
    })),
  },
  {
    kind: 'dataset',
    name: 'Data set build',
    outcome: wordsFor(DatasetBuilt, ({ id, name, version, counts, excluded }) => ({
      sentence: listed(
        `${name} v${version}: ${plural(counts.train + counts.val + counts.test, 'row')}`,
        `${formatCount(counts.val)} for validation`,
        counts.test > 0 && `${formatCount(counts.test)} for testing`,
        sumOf(excluded) > 0 && `${formatCount(sumOf(excluded))} excluded`,
      ),
      link: { href: datasetHref(id), label: 'Open data set' },
    })),
  },
  {
    kind: 'dataset-import',
    name: 'Row import',
    outcome: wordsFor(RowImport, ({ collection, read, errorCount }) => ({
      sentence: listed(
        collection === null
          ? `none of ${plural(read, 'row')} imported`
          : `${formatCount(collection.rows)} of ${plural(read, 'row')} imported as ${collection.name}`,
        errorCount > 0 && plural(errorCount, 'row has errors', 'rows have errors'),
      ),
      link: { href: '/factory/datasets/import', label: 'Imported rows' },
    })),
  },
  {
    kind: 'lengths',
    name: 'Token lengths',
    outcome: wordsFor(LengthReport, ({ rows, p50, max, maxTokens, truncated, exact }, { subject }) => ({
      sentence: listed(
        `${plural(rows, 'row')} measured${exact ? '' : ' (estimate)'}`,
        `median ${formatCount(p50)} tokens`,
        `longest ${formatCount(max)}`,
        maxTokens !== null &&
          truncated !== null &&
          `${formatPercent(rows > 0 ? truncated / rows : null)} longer than ${formatCount(maxTokens)}`,
      ),
      ...(subject !== null && { link: { href: datasetHref(subject), label: 'Open data set' } }),
    })),
  },
]
