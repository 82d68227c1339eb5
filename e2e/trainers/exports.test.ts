import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatasetBuilt } from '#contracts/entities/dataset.ts'
import { testCandidate, testDatasets, testRow } from '#server/stages/factory/versions/testing-rows.ts'
import { openCore } from '#server/testing/core.ts'
import { python } from './python.ts'

// Each exported format is read by the library it is made for.
const core = openCore()
const { datasets, build } = testDatasets(core, { sessions: 8, perSession: 2 })
/** Folders by kind and format. `cache` is a separate cache, because the shared cache of `datasets` returned rows of an earlier run. */
const places: Record<string, string> = { cache: path.join(core.config.dataDir, 'cache') }

/** Rows of the train split of each data set, by kind. */
const versions: Record<string, Record<string, unknown>[]> = {}

beforeAll(async () => {
  for (const [kind, formats] of Object.entries({
    sft: ['nemo', 'openai', 'trl', 'trl-prompt-completion', 'trl-prompt-only', 'sharegpt', 'parquet', 'hf'],
    dpo: ['openai', 'trl', 'trl-preference', 'trl-unpaired', 'trl-prompt-only', 'parquet', 'hf'],
    kto: ['trl', 'trl-unpaired', 'trl-prompt-only', 'parquet', 'hf'],
  })) {
    const { id } = (await build({ kind, name: kind, split: { val: 0.25 }, dedup: { near: false } })).result as DatasetBuilt
    for (const format of formats) {
      const { files } = await datasets.export(id, { format: format as 'nemo' }, new AbortController().signal)
      if (kind !== 'sft') versions[kind] ??= (await datasets.rows(id, { split: 'train', limit: 100 })).items.map(({ row }) => row)
      const file = files.find(({ path: name }) => name.endsWith('README.md')) ?? files[0]!
      places[`${kind} ${format}`] = path.dirname(file.path)
    }
  }
  // Alpaca cannot represent tool calls
  const plain = Array.from({ length: 8 }, (_, n) => {
    const { messages } = testRow('sft', 20 + n, 0) as { messages: { role: string; tool_calls?: unknown }[] }
    const row = { messages: messages.filter(({ role, tool_calls: calls }) => role !== 'tool' && calls === undefined), tools: [] }
    return testCandidate({ id: `plain-${n}`, group: `plain-${n}`, row: row as never })
  })
  const { build: buildPlain } = testDatasets(core, { sessions: 1, perSession: 1, more: plain })
  const job = await buildPlain({ kind: 'sft', name: 'plain', split: { val: 0.25 }, dedup: { near: false } })
  if (job.error) throw new Error(job.error.message)
  const { id } = job.result as DatasetBuilt
  const { files } = await datasets.export(id, { format: 'alpaca' }, new AbortController().signal)
  places['sft alpaca'] = path.dirname((files.find(({ path: name }) => name.endsWith('README.md')) ?? files[0]!).path)
})
afterAll(() => core.close())

const run = (script: string, input: unknown): unknown =>
  JSON.parse(
    python(['-c', `import gc, json, sys\ngc.disable()\nplaces = json.loads(sys.argv[1])\n${script}`, JSON.stringify(input)])
      .trim()
      .split('\n')
      .at(-1)!,
  )

test('datasets reads the Hugging Face folder with its splits and unchanged arguments', () => {
  const read = run(
    `import datasets
d = datasets.load_dataset(places["sft hf"], cache_dir=places["cache"])
p = datasets.load_dataset(places["dpo hf"], cache_dir=places["cache"])
print(json.dumps({"splits": {k: len(v) for k, v in d.items()}, "rows": [r for r in d["train"]], "columns": p["train"].column_names}))`,
    places,
  ) as { splits: Record<string, number>; rows: Record<string, unknown>[]; columns: string[] }
  expect(Object.keys(read.splits)).toEqual(['train', 'validation'])
  expect(read.splits['train']! + read.splits['validation']!).toBe(16)
  const written = fs.readFileSync(path.join(places['sft hf']!, 'data', 'train.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>) // prettier-ignore
  const taught = ({ messages, tools }: Record<string, unknown>) => ({ messages, tools }) // the JSON reader rounds numbers in metadata
  expect(read.rows.map(taught)).toEqual(written.map(taught))
  expect(read.columns).toEqual(['prompt', 'chosen', 'rejected', 'tools', 'metadata'])
})

test('datasets loads the folder of every export unchanged, as a trainer does', () => {
  const read = run(
    `import datasets
print(json.dumps({k: {s: r.num_rows for s, r in datasets.load_dataset(v, cache_dir=places["cache"]).items()} for k, v in places.items() if k != "cache"}))`,
    places,
  ) as Record<string, Record<string, number>>
  expect(Object.keys(read)).toHaveLength(Object.keys(places).length - 1)
  for (const [key, splits] of Object.entries(read)) expect([key, Object.keys(splits)]).toEqual([key, ['train', 'validation']])
})

test('half a surrogate pair in a tool output does not make a file unreadable', async () => {
  const row = testRow('sft', 7, 0) as { messages: { content: string }[] }
  row.messages[3]!.content = 'cut in the middle of \ud83d'
  const { build: buildHalf } = testDatasets(core, { sessions: 1, perSession: 1, more: [testCandidate({ id: 'half', row: row as never })] })
  const { id } = (await buildHalf({ name: 'half', split: { val: 0 } })).result as DatasetBuilt
  const formats = ['nemo', 'trl', 'sharegpt', 'hf'] as const
  const files: Record<string, string> = { cache: places['cache']! }
  for (const format of formats) {
    const result = await datasets.export(id, { format }, new AbortController().signal)
    files[format] = result.files.find(({ path: name }) => name.endsWith('train.jsonl'))!.path
  }
  const read = run(
    `import datasets
print(json.dumps({k: datasets.load_dataset("json", data_files=v, split="train", cache_dir=places["cache"]).num_rows for k, v in places.items() if k != "cache"}))`,
    files,
  )
  expect(read).toEqual(Object.fromEntries(formats.map((format) => [format, 2])))
})

test('pyarrow reads Parquet with the columns that the docs name', () => {
  const read = run(
    `import pyarrow.parquet as pq
t = pq.read_table(places["sft parquet"] + "/train.parquet")
print(json.dumps({"schema": {f.name: str(f.type) for f in t.schema}, "first": json.loads(t.column("messages")[0].as_py()), "rows": t.num_rows}))`,
    places,
  ) as { schema: Record<string, string>; first: { role: string }[]; rows: number }
  expect(read.schema).toMatchObject({ example_id: 'string', quality: 'double', messages: 'string', label: 'bool', tools: 'string' })
  expect(read.first.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant'])
})

test('TRL recognises every format as what it is', () => {
  const read = run(
    `import datasets
from trl import is_conversational
from trl.data_utils import is_conversational, unpair_preference_dataset
def load(key):
    rows = [json.loads(line) for line in open(places[key] + "/train.jsonl")]
    return datasets.Dataset.from_list(rows, on_mixed_types="use_json")
out = {}
for key in ["sft trl", "sft nemo", "sft trl-prompt-completion", "sft trl-prompt-only", "dpo trl-preference", "dpo trl-unpaired"]:
    d = load(key)
    out[key] = [is_conversational(d[0]), d.column_names]
ours = load("dpo trl-unpaired"); theirs = unpair_preference_dataset(load("dpo trl-preference"))
out["unpaired alike"] = sorted(json.dumps([r["completion"], r["label"]]) for r in ours) == sorted(json.dumps([r["completion"], r["label"]]) for r in theirs)
row = load("sft trl")[0]
out["arguments"] = row["messages"][2]["tool_calls"][0]["function"]["arguments"]
print(json.dumps(out))`,
    places,
  ) as Record<string, unknown>
  expect(read).toMatchObject({
    'sft trl': [true, ['messages', 'tools']],
    'sft nemo': [true, ['messages', 'tools', 'metadata']],
    'sft trl-prompt-completion': [true, ['prompt', 'completion', 'tools']],
    'sft trl-prompt-only': [true, ['prompt', 'tools']],
    'dpo trl-preference': [true, ['prompt', 'chosen', 'rejected', 'tools']],
    'dpo trl-unpaired': [true, ['prompt', 'completion', 'label', 'tools']],
    'unpaired alike': true,
    arguments: { command: expect.stringMatching(/^npm test/) as string },
  })
})

test('OpenAI rows have arguments as text; LLaMA-Factory finds its files and columns', () => {
  const lines = (key: string) => fs.readFileSync(path.join(places[key]!, 'train.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Record<string, never>) // prettier-ignore
  const [openai] = lines('sft openai') as unknown as { messages: { tool_calls?: { function: { arguments: unknown } }[] }[] }[]
  expect(typeof openai!.messages[2]!.tool_calls![0]!.function.arguments).toBe('string')
  for (const key of ['sft sharegpt', 'sft alpaca']) {
    const info = JSON.parse(fs.readFileSync(path.join(places[key]!, 'dataset_info.json'), 'utf8')) as Record<
      string,
      { file_name: string; columns: Record<string, string> }
    >
    for (const { file_name, columns } of Object.values(info)) {
      const [row] = fs.readFileSync(path.join(places[key]!, file_name), 'utf8').split('\n')
      expect(Object.keys(JSON.parse(row!) as object)).toEqual(expect.arrayContaining(Object.values(columns)))
    }
  }
})

test('every format preserves preferences and labels', () => {
  const read = run(
    `import datasets, pyarrow.parquet as pq
def jsonl(key):
    rows = [json.loads(line) for line in open(places[key] + "/train.jsonl")]
    return list(datasets.Dataset.from_list(rows, on_mixed_types="use_json"))
def parquet(key):
    return [{k: json.loads(v) if isinstance(v, str) and v[:1] in "[{" else v for k, v in r.items()} for r in pq.read_table(places[key] + "/train.parquet").to_pylist()]
def hub(key):
    return list(datasets.load_dataset(places[key], cache_dir=places["cache"] + key.replace(" ", ""))["train"])
out = {}
for key in places:
    kind, _, form = key.partition(" ")
    if kind in ("dpo", "kto"):
        out[key] = (hub if form == "hf" else parquet if form == "parquet" else jsonl)(key)
print(json.dumps(out))`,
    places,
  ) as Record<string, Record<string, unknown>[]>
  const only = (rows: Record<string, unknown>[] | undefined, ...names: string[]) =>
    (rows ?? []).map((row) => JSON.stringify(names.map((name) => row[name]))).toSorted()
  const { dpo, kto } = versions
  expect([dpo!.length, kto!.length]).toEqual([12, 12])
  for (const format of ['trl', 'trl-preference', 'parquet', 'hf'])
    expect([format, only(read[`dpo ${format}`], 'prompt', 'chosen', 'rejected', 'tools')]).toEqual([format, only(dpo, 'prompt', 'chosen', 'rejected', 'tools')]) // prettier-ignore
  for (const format of ['trl', 'trl-unpaired', 'parquet', 'hf'])
    expect([format, only(read[`kto ${format}`], 'prompt', 'completion', 'label', 'tools')]).toEqual([format, only(kto, 'prompt', 'completion', 'label', 'tools')]) // prettier-ignore
  for (const [kind, rows] of [
    ['dpo', dpo],
    ['kto', kto],
  ] as const)
    // prettier-ignore
    expect(only(read[`${kind} trl-prompt-only`], 'prompt', 'tools')).toEqual(only(rows, 'prompt', 'tools'))
  const sides = dpo!.flatMap(({ prompt, chosen, rejected }) => [
    { prompt, completion: chosen, label: true },
    { prompt, completion: rejected, label: false },
  ])
  expect(only(read['dpo trl-unpaired'], 'prompt', 'completion', 'label')).toEqual(only(sides, 'prompt', 'completion', 'label'))
  const prompts = (read['dpo openai'] as { input: { messages: unknown } }[]).map(({ input }) => ({ prompt: input.messages }))
  expect(only(prompts, 'prompt')).toEqual(only(dpo, 'prompt'))
})
