import type { Dataset, ExportResult } from '#contracts/entities/dataset.ts'
import type { PrivacyReport } from '#contracts/entities/privacy.ts'

const JSON_COLUMNS: Record<Dataset['kind'], readonly string[]> = {
  sft: ['messages', 'tools', 'metadata'],
  dpo: ['prompt', 'chosen', 'rejected', 'tools', 'metadata'],
  kto: ['prompt', 'completion', 'tools', 'metadata'],
  rlvr: ['prompt', 'tools', 'metadata'],
  prompts: ['prompt', 'tools', 'metadata'],
}

/** README.md of a Hugging Face data set. Its YAML part describes the files; `dtype: json` allows different arguments per tool. */
export function cardOf(dataset: Dataset, files: ExportResult['files'], privacy: PrivacyReport | null): string {
  const { name, version, kind, counts, options } = dataset
  const data = files.filter(({ path }) => path.startsWith('data/'))
  const features = JSON_COLUMNS[kind].map((column) => `  - name: ${column}\n    dtype: json`)
  if (kind === 'kto') features.push('  - name: label\n    dtype: bool')
  // Rows of RLVR have unknown additional columns, so their features cannot be listed.
  const info = kind === 'rlvr' ? [] : ['dataset_info:', '  features:', ...features]
  const yaml = [
    '---',
    `pretty_name: ${JSON.stringify(`${name} v${version}`)}`,
    'private: true',
    'viewer_mode: traces',
    'tags:',
    '- agent-traces',
    '- bashgym',
    'configs:',
    '- config_name: default',
    '  data_files:',
    ...data.map(({ path }) => `  - split: ${path.slice('data/'.length, -'.jsonl'.length)}\n    path: ${path}`),
    ...info,
    '---',
  ]
  const table = (rows: readonly (readonly [string, string | number])[]) => rows.map(([left, right]) => `| ${left} | ${right} |`).join('\n')
  const redactions = Object.entries(privacy?.findingsByType ?? {})
  return `${[
    ...yaml,
    '',
    `# ${name} v${version}`,
    '',
    `Rows of kind \`${kind}\`, built by Bash Gym ${dataset.codeVersion} from coding-agent sessions on one developer's machine.`,
    '',
    '## Source and consent',
    '',
    `${counts.sessions} sessions recorded by the author of this data set. Before sharing it, check that you have the right to publish its code, prompts and tool outputs; the folder is marked private for that reason.`,
    '',
    '## Splits',
    '',
    '| file | rows, bytes, sha256 |',
    '|---|---|',
    table(data.map(({ path, rows, bytes, sha256 }) => [path, `${rows}, ${bytes}, \`${sha256}\``])),
    '',
    `Split by ${options.split.by}, seed ${dataset.seed}: all rows of a session, its forks and its continuations are in the same split.`,
    '',
    '## Personal data and secrets',
    '',
    options.privacyOff === undefined
      ? 'Every row passed the privacy filter. Findings by type (kept, redacted or replaced according to the policy):'
      : `**Personal data was kept** (reason given: ${options.privacyOff}). Secrets were still redacted:`,
    '',
    redactions.length > 0 ? `| type | found |\n|---|---|\n${table(redactions)}` : 'No findings.',
    '',
    survivorsLine(privacy),
    '',
    '## Schema',
    '',
    'Messages are chat messages; arguments of tool calls are JSON objects; `tools` are JSON Schemas; `metadata` contains example, session, repository, tier and quality.',
    '',
    '## Limits',
    '',
    'Detectors miss some personal data, especially names in prose. Quality and tier are inferred from the sessions themselves. Long tool outputs may be shortened in the middle; each cut is marked.',
  ].join('\n')}\n`
}

const survivorsLine = (privacy: PrivacyReport | null): string =>
  privacy?.survivors
    ? `A second, independent scanner (${privacy.survivors.scanner}) found ${privacy.survivors.findings} values in the written rows.${
        privacy.survivors.notCovered === undefined ? '' : ` It does not look for: ${privacy.survivors.notCovered.join('; ')}.`
      }`
    : 'The written rows were not scanned a second time.'
