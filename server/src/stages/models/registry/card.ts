import { NOT_EXAMINED, verdictLine, verdictOf } from '#contracts/exam-words.ts'
import { probeLine } from '#contracts/probe-words.ts'
import { teacherWords } from '#contracts/teacher-words.ts'
import type { Dataset } from '#contracts/entities/dataset.ts'
import type { Model } from '#contracts/entities/model.ts'
import { figuresOf } from './compare.ts'

export interface CardInput {
  model: Model
  dataset: Dataset | null
  /** The base model's licence, from its README. */
  license: string | null
  settings: Record<string, unknown>
  /** sha256 of the data files by path. */
  dataHashes: Record<string, string>
  isAdapter: boolean
  version: string
}

type Row = readonly (string | number | null)[]

/** The README.md of a model: front matter for the Hub, then the known facts. Missing figures are "not measured". */
export function cardOf(facts: CardInput): string {
  const { model, license, settings, isAdapter, version } = facts
  const { lineage, training } = model
  const method = isAdapter ? 'LoRA adapter' : 'full fine-tune'
  return `${[
    ...head(facts),
    '',
    `# ${model.name}`,
    '',
    model.description ?? `${lineage.baseModel}, trained with ${strategyWord(lineage.strategy)} (${method}) by Bash Gym ${version}.`,
    '',
    '## Base model',
    '',
    table([
      ['name', `\`${lineage.baseModel}\``],
      ['revision', lineage.baseRevision],
      ['sha256 of its files', lineage.baseHash],
      ['licence', license ?? 'not stated in its folder: check it before you share this model'],
      ...(lineage.teacher === null ? [] : [['teacher', lineage.teacher] as const]),
      ...(lineage.teacherAnswers ? [['its answers', teacherWords(lineage.teacherAnswers)] as const] : []),
    ]),
    '',
    '## Training data',
    '',
    ...dataLines(facts),
    '',
    '## Training',
    '',
    table([
      ['strategy', lineage.strategy],
      ['steps', training.steps],
      ['rows', training.rows],
      ['tokens', training.tokens],
      ['duration (s)', training.trainSec],
      ['device', training.device],
      ['peak memory (MB)', training.peakMb],
      ['final loss', training.loss],
      ['loss on held-out rows', training.evalLoss],
      ['loss curve', curve(training.spark)],
    ]),
    '',
    '<details><summary>Every setting</summary>',
    '',
    fence('json', JSON.stringify(settings, null, 2)),
    '',
    '</details>',
    '',
    '## Is it better than what it was trained from?',
    '',
    ...linesOfVerdicts(model),
    '',
    '## Does it repeat its training data?',
    '',
    probeLine(model.probe),
    '',
    '## Figures',
    '',
    table(Object.entries(figuresOf(model)).map(([name, value]) => [`\`${name}\``, value])),
    '',
    '## Exports',
    '',
    ...exportLines(model),
    '',
    '## Limits',
    '',
    '- It was trained on one developer’s sessions and may perform worse on other projects, tools and workflows.',
    '- The figures above are from training unless stated otherwise; a lower loss does not prove better results.',
    '- It may repeat parts of its training data. Privacy detectors miss some personal data, especially names in prose.',
    '- Check the commands it proposes, or run them in a sandbox.',
    '',
    '## How to use',
    '',
    ...useLines(model, isAdapter),
  ].join('\n')}\n`
}

/** The verdict of each exam: the one that counts, then the others, newest first. */
function linesOfVerdicts({ evaluations }: Model): string[] {
  const all = evaluations.flatMap((one) => verdictOf(one) ?? []).toReversed()
  const verdicts = [...all.filter(({ standing }) => standing !== 'beside'), ...all.filter(({ standing }) => standing === 'beside')]
  return verdicts.length === 0 ? [NOT_EXAMINED] : verdicts.map((verdict) => `- ${verdictLine(verdict)}.`)
}

function head({ model, license, isAdapter }: CardInput): string[] {
  const { lineage } = model
  const isHub = !lineage.baseModel.startsWith('/')
  return [
    '---',
    ...(isHub ? [`base_model: ${JSON.stringify(lineage.baseModel)}`, `base_model_relation: ${isAdapter ? 'adapter' : 'finetune'}`] : []),
    ...(license === null ? [] : [`license: ${JSON.stringify(license)}`]),
    `library_name: ${isAdapter ? 'peft' : 'transformers'}`,
    'pipeline_tag: text-generation',
    'tags:',
    '- bashgym',
    '- agent-traces',
    `- ${lineage.strategy}`,
    '---',
  ]
}

function dataLines(facts: CardInput): string[] {
  const { mix } = facts.model.lineage
  const mixed = mix.map(({ name, weight }): Row => [name, String(weight)])
  return mixed.length === 0
    ? mainLines(facts)
    : [...mainLines(facts), '', 'Mixed in, with how often each row came in an epoch:', '', table([['data set', 'weight'], ...mixed], true)]
}

function mainLines({ model, dataset, dataHashes }: CardInput): string[] {
  const hashes = Object.entries(dataHashes).map(([file, sha256]): Row => [`\`${file.split('/').at(-1)}\``, `\`${sha256}\``])
  if (!dataset) {
    const { datasetId, datasetName } = model.lineage
    const source =
      datasetId === null
        ? `Rows of the file ${datasetName ?? '(not recorded)'}; their source is unknown.`
        : `The data set ${datasetName ?? datasetId} no longer exists.`
    return [source, '', ...(hashes.length > 0 ? [table([['file', 'sha256'], ...hashes], true)] : ['Its hash was not recorded.'])]
  }
  const { name, version, kind, counts, sources, files, policyHash, privacy, options } = dataset
  const found = Object.entries(privacy?.findingsByType ?? {})
  return [
    `${name} v${version}, rows of kind \`${kind}\`, made from ${sources.length} coding-agent ${sources.length === 1 ? 'session' : 'sessions'} on one developer’s machine: ${counts.train} to train, ${counts.val} to validate, ${counts.test} to test.`,
    '',
    table([['file', 'rows', 'sha256'], ...files.map((file): Row => [`\`${file.path}\``, file.rows, `\`${file.sha256}\``])], true),
    '',
    options.privacyOff === undefined
      ? `Every row passed the privacy filter (policy \`${policyHash ?? 'unknown'}\`).${found.length > 0 ? ` Findings handled according to the policy: ${found.map(([type, count]) => `${count} × ${type}`).join(', ')}.` : ' No findings.'}`
      : `**Personal data was kept** (reason given: ${options.privacyOff}); secrets were redacted.`,
  ]
}

function exportLines({ artifacts }: Model): string[] {
  const rows = artifacts.map(({ format, quantization, bytes, sha256, parity }): Row => [
    quantization === null ? format : `${format} ${quantization}`,
    bytes,
    sha256 && `\`${sha256}\``,
    parity === null
      ? 'not compared'
      : `${parity.sameText} of ${parity.prompts} answers identical${parity.withCalls > 0 ? `, ${parity.sameCalls} of ${parity.withCalls} tool calls` : ''}`,
  ])
  return [
    table([['file', 'bytes', 'sha256', 'compared with the trained model on held-out prompts, with greedy decoding'], ...rows], true),
    ...artifacts.flatMap(({ format, quantization, notice }) =>
      notice === null ? [] : ['', `**${[format, quantization].filter(Boolean).join(' ')}**: ${notice}`],
    ),
  ]
}

function useLines({ artifacts, lineage }: Model, isAdapter: boolean): string[] {
  const gguf = artifacts.find(({ format }) => format === 'gguf')
  const load = isAdapter
    ? `from peft import AutoPeftModelForCausalLM\nfrom transformers import AutoTokenizer\n\nmodel = AutoPeftModelForCausalLM.from_pretrained("FOLDER")  # fetches ${lineage.baseModel}\ntokenizer = AutoTokenizer.from_pretrained("FOLDER")`
    : 'from transformers import AutoModelForCausalLM, AutoTokenizer\n\nmodel = AutoModelForCausalLM.from_pretrained("FOLDER")\ntokenizer = AutoTokenizer.from_pretrained("FOLDER")'
  return [
    fence('python', load),
    ...(gguf
      ? ['', 'The GGUF file brings its chat template:', '', fence('sh', `llama-server -m ${gguf.path.split('/').at(-1)} --jinja`)]
      : []),
  ]
}

/** At most nine evenly spaced values. */
function curve(spark: readonly (number | null)[]): string | null {
  const finite = spark.filter((value) => value !== null)
  if (finite.length === 0) return null
  const step = Math.max(1, (finite.length - 1) / 8)
  const points = Array.from(
    { length: Math.min(9, finite.length) },
    (_, index) => finite[Math.min(finite.length - 1, Math.round(index * step))]!,
  )
  return points.map(formatted).join(' → ')
}

const formatted = (value: string | number): string =>
  typeof value === 'number' && !Number.isInteger(value) ? value.toPrecision(4) : String(value)

/** A Markdown table. With `named` the first row is the header, otherwise the header is empty. */
function table(rows: readonly Row[], hasHeader = false): string {
  const cells = rows.map((row) =>
    row.map((cell) => (cell === null ? 'not measured' : formatted(cell).replaceAll('|', '\\|').replaceAll('\n', ' '))),
  )
  const width = cells[0]?.length ?? 0
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`
  const rule = line(Array.from({ length: width }, () => '---'))
  return (
    hasHeader
      ? [line(cells[0]!), rule, ...cells.slice(1).map(line)]
      : [line(Array.from({ length: width }, () => '')), rule, ...cells.map(line)]
  ).join('\n')
}

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const strategyWord = (strategy: string): string => (strategy === 'distillation' ? 'distillation' : strategy.toUpperCase())
