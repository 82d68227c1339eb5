import fs from 'node:fs'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { DatasetBuilt, DatasetKind, ExportFormat } from '#contracts/entities/dataset.ts'
import type { ChatMessage } from '#contracts/entities/example.ts'
import { PrivacyPolicy } from '#contracts/entities/privacy.ts'
import { NO_DECISIONS, openGate } from '#server/stages/privacy/index.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { testCandidate, testDatasets, testRow, traceIdOf } from '../versions/testing-rows.ts'
import type { DataRow } from '../curate/candidate.ts'
import { rowsOf } from '#server/adapters/outside-rows/index.ts'

const cores: TestCore[] = []
afterEach(async () => {
  for (const core of cores.splice(0)) await core.close()
})

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`))
const token = (count: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9]{${count}}$`)).filter((text) => new Set(text).size > count / 3)
const withCheckDigit = (front: string) => {
  const sum = front
    .split('')
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return `${front}${(10 - (sum % 10)) % 10}`
}
const iban = (account: string) => {
  const bankAndAccount = `37040044${account}`
  const check = 98n - (BigInt(`${bankAndAccount}131400`) % 97n)
  return `DE${String(check).padStart(2, '0')}${bankAndAccount}`
}

/** A value that must be replaced, and the words around it. */
const planted = fc.oneof(
  token(9).map((name) => ({ value: `q${name}@acme-corp.io`, wrap: (value: string) => `Write to ${value} about it.` })),
  fc.record({ area: fc.integer({ min: 201, max: 665 }), rest: digits(4) }).map(({ area, rest }) => ({
    value: `${area}-45-${rest === '0000' ? '1234' : rest}`,
    wrap: (value: string) => `The SSN is ${value}.`,
  })),
  digits(14).map((rest) => ({ value: withCheckDigit(`4${rest}`), wrap: (value: string) => `card number: ${value}` })),
  digits(10).map((account) => ({ value: iban(account), wrap: (value: string) => `IBAN ${value}` })),
  token(36).map((rest) => ({ value: `ghp_${rest}`, wrap: (value: string) => `GITHUB_TOKEN=${value}` })),
  token(95).map((rest) => ({ value: `sk-ant-api03-${rest}`, wrap: (value: string) => `export ANTHROPIC_API_KEY=${value}` })),
  token(20).map((rest) => ({ value: `Zx9${rest}`, wrap: (value: string) => `postgres://admin:${value}@db.acme-corp.io:5432/app` })),
  token(16).map((rest) => ({ value: `Qz7${rest}`, wrap: (value: string) => `password: "${value}"` })),
) // prettier-ignore

type Planted = { value: string; wrap: (value: string) => string }

/** Plants values into every text of a row. */
function plantIn(kind: DatasetKind, seed: number, values: readonly Planted[]): DataRow {
  const row = structuredClone(testRow(kind, 700 + seed, 0, 5)) as unknown as Record<string, ChatMessage[]>
  let next = 0
  const take = () => {
    const { value, wrap } = values[next++ % values.length]!
    return wrap(value)
  }
  for (const list of ['messages', 'prompt', 'completion', 'chosen', 'rejected'])
    for (const message of row[list] ?? []) {
      message.content = `${message.content}\n${take()}`
      if (message.role === 'assistant')
        for (const call of message.tool_calls ?? []) call.function.arguments = { command: take(), nested: { list: [take()] } }
    }
  return row as unknown as DataRow
}

async function textsOf(file: string): Promise<unknown[]> {
  if (file.endsWith('.parquet')) return Array.fromAsync(rowsOf(file), ({ row }) => row)
  const text = fs.readFileSync(file, 'utf8')
  return file.endsWith('.jsonl')
    ? text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown)
    : [text]
}

const FORMATS: Record<'sft' | 'dpo' | 'kto' | 'prompts', readonly ExportFormat[]> = {
  sft: ['nemo', 'openai', 'trl', 'trl-prompt-completion', 'trl-prompt-only', 'sharegpt', 'alpaca', 'parquet', 'hf'],
  dpo: ['openai', 'trl-preference', 'trl-unpaired', 'parquet'],
  kto: ['trl', 'trl-unpaired', 'hf'],
  prompts: ['trl-prompt-only'],
}

test.for(['sft', 'dpo', 'kto', 'prompts'] as const)(
  'no exported file contains a planted value or a finding under a redacting policy: %s',
  { timeout: 240_000 },
  async (kind) => {
    const policy = PrivacyPolicy.parse({ defaultStrategy: 'redact' })
    const gateInput = { policy, policyHash: 'redacting', decisions: NO_DECISIONS, valueKey: Buffer.alloc(32, 7) }
    const values = fc.sample(fc.array(planted, { minLength: 8, maxLength: 12 }), { numRuns: 25, seed: 20_261_121 })
    const more = values.map((planted, index) =>
      testCandidate({ id: `p${index}`, traceIds: [traceIdOf(index % 3)], row: plantIn(kind, index, planted) }),
    )
    const core = openCore()
    cores.push(core)
    const { build, datasets } = testDatasets(core, { sessions: 3, perSession: 1, more }, { policy: () => gateInput })
    const job = await build({ kind, dedup: { near: false }, split: { val: 0.3 } })
    expect(job.error).toBeNull()
    const { id, counts } = job.result as DatasetBuilt
    expect(counts.train + counts.val).toBe(28)
    expect(datasets.get(id).privacy?.survivors?.byType).toEqual({})

    const all = values.flat().map(({ value }) => value)
    for (const format of FORMATS[kind]) {
      const { files } = await datasets.export(id, { format }, new AbortController().signal)
      const gate = openGate({ ...gateInput, key: Buffer.alloc(32, 1), purpose: 'test' })
      for (const file of files) {
        const contents = await textsOf(file.path)
        const text = JSON.stringify(contents)
        expect([format, file.path, all.filter((value) => text.includes(value))]).toEqual([format, file.path, []])
        for (const one of contents) gate.clear(one)
      }
      expect([format, gate.report().findingsByType]).toEqual([format, {}])
    }
  },
)

test('the second scanner reports personal data that was kept', async () => {
  const core = openCore()
  cores.push(core)
  const row = testRow('sft', 500, 0) as { messages: ChatMessage[] }
  row.messages[1]!.content += ' Write to ada.lovelace@acme-corp.io.'
  const more = [testCandidate({ id: 'm', traceIds: [traceIdOf(1)], row: row as DataRow })]
  const { build, datasets } = testDatasets(core, { sessions: 2, perSession: 1, more })
  const survivors = async (recipe: Record<string, unknown>) =>
    datasets.get(((await build(recipe)).result as DatasetBuilt).id).privacy!.survivors
  expect((await survivors({}))?.findings).toBe(0)
  expect(await survivors({ privacyOff: 'a test of the second scanner' })).toMatchObject({ findings: 1, byType: { email: 1 } })
})
