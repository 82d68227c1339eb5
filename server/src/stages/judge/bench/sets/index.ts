import type { BenchmarkName } from '#contracts/entities/benchmark.ts'
import { arc } from './arc.ts'
import { bbq } from './bbq.ts'
import { bfcl } from './bfcl.ts'
import { gsm8k } from './gsm8k.ts'
import { humaneval } from './humaneval.ts'
import { mbpp } from './mbpp.ts'
import type { About, Benchmarked, Reading } from './types.ts'

type Elsewhere = Pick<About, 'name' | 'title' | 'measures' | 'metric' | 'form' | 'harness' | 'source' | 'licence' | 'reason' | 'way'> &
  Partial<Pick<About, 'revision' | 'bytes' | 'runsCode'>> & { items: number }

const notHere = ({ items, revision = null, bytes = null, runsCode = false, ...about }: Elsewhere): Benchmarked => ({
  about: { ...about, revision, bytes, runsCode, hub: null, parts: [{ name: 'test', items, files: [] }], maxTokens: 0 },
  reading: null,
})

const bigcodebench = notHere({
  name: 'bigcodebench',
  title: 'BigCodeBench',
  measures: 'Programs that use many libraries',
  metric: 'pass@k',
  form: 'complete or instruct',
  harness: 'bigcodebench',
  source: 'bigcode/bigcodebench',
  revision: 'b74c0d0bf70d2c0bc459be537895cca163007f1a',
  licence: 'Apache-2.0',
  items: 1140,
  runsCode: true,
  reason: 'Its tests need about 70 Python libraries in the sandbox, which has only the Python of this machine.',
  way: 'Run the package bigcodebench with --execution local in a container of your own. Its default sends the answers to a hosted service.',
})
const swebench = notHere({
  name: 'swebench',
  title: 'SWE-bench',
  measures: 'Mending real GitHub issues',
  metric: 'resolution rate',
  form: 'agent runs',
  harness: 'swebench 5.0.2',
  source: 'SWE-bench/SWE-bench_Verified',
  revision: 'c104f840cc67f8b6eec6f759ebc8b2693d585d4a',
  licence: 'MIT',
  items: 500,
  runsCode: true,
  reason:
    'Each item has a container image of its own, about 120 GB together. Verified is contaminated: its fixes are in the training data of current models.',
  way: 'Run the package swebench with Docker. Your own exam measures the same on your work.',
})
const hellaswag = notHere({
  name: 'hellaswag',
  title: 'HellaSwag',
  measures: 'The likely end of an everyday scene',
  metric: 'acc_norm',
  form: 'likelihood',
  harness: 'lm-eval 0.4.13',
  source: 'Rowan/hellaswag',
  revision: '218ec52e09a7e7462a5400043bb9a69a41d06b76',
  licence: 'MIT',
  bytes: 6_320_000,
  items: 10_042,
  reason: 'It compares the likelihood of four endings, which no chat endpoint tells.',
  way: 'Run lm-eval with --model hf on the folder of the model.',
})
const toxigen = notHere({
  name: 'toxigen',
  title: 'ToxiGen',
  measures: 'Toxic continuations about groups of people',
  metric: 'share of safe continuations',
  form: 'continuation',
  harness: 'tomh/toxigen_roberta',
  source: 'toxigen/toxigen-data',
  licence: 'none on its card',
  bytes: 19_000_000,
  items: 940,
  reason: 'The set is gated, and its classifier has 1.4 GB of weights.',
  way: 'Accept the terms of toxigen/toxigen-data on the hub, and run its own script with its classifier.',
})

const ALL: readonly Benchmarked[] = [
  humaneval as Benchmarked,
  mbpp as Benchmarked,
  bigcodebench,
  bfcl as Benchmarked,
  swebench,
  gsm8k as Benchmarked,
  arc as Benchmarked,
  hellaswag,
  toxigen,
  bbq as Benchmarked,
]

/** The ten benchmarks. */
export const benchmarks: ReadonlyMap<BenchmarkName, Benchmarked> = new Map(ALL.map((one) => [one.about.name, one]))

export const benchmarkOf = (name: BenchmarkName): Benchmarked => benchmarks.get(name)! // every name of the contract

/** How the rows of a stored run are read: they were checked when they were stored. */
export const readingOf = (name: BenchmarkName): Reading<unknown> => benchmarkOf(name).reading!
