import { describe, expect, test } from 'vitest'
import { RunRequest } from '#contracts/entities/run.ts'
import { Knobs, LoraKnobs, ReportTo } from '#contracts/train-knobs.ts'
import { TrainSettings } from '#contracts/trainer.ts'
import { withAdvice, adviceLabel, chosenSettings, draftOf, EMPTY, requestOf, shellWords, settingText, type Draft } from './draft.ts'
import { ALL_FIELDS } from './fields.ts'

const draft = (more: Partial<Draft> = {}): Draft => ({ ...EMPTY, datasetId: 'd1', baseModel: 'tiny', ...more })

describe('a form becomes a request', () => {
  test('an empty field keeps its default and is not sent', () => {
    expect(requestOf(draft())).toEqual({
      request: RunRequest.parse({ strategy: 'sft', baseModel: 'tiny', datasetId: 'd1' }),
    })
  })
  test('no default of the contract is sent, so that presets apply', () => {
    const read = requestOf(draft({ preset: 'quick', settings: { epochs: '2' } }))
    expect('request' in read && read.request.settings).toEqual({ epochs: 2 })
  })
  test('a missing value is reported for its field', () => {
    expect(requestOf(EMPTY)).toEqual({ errors: { datasetId: 'Choose a data set.', baseModel: 'Choose a base model.' } })
    expect(requestOf(draft({ strategy: 'distillation' }))).toEqual({ errors: { teacher: 'Choose a teacher.' } })
  })
  test('text in a number field is reported for that field only', () => {
    const read = requestOf(draft({ settings: { learningRate: 'fast', epochs: '2' } }))
    expect('errors' in read && Object.keys(read.errors)).toEqual(['learningRate'])
  })
  test('a tag that is too long is reported for the tags', () => {
    expect(requestOf(draft({ tags: `a, ${'b'.repeat(61)}` }))).toEqual({ errors: { tags: 'At most 60 characters are allowed.' } })
  })
  test('numbers like 1.2e-05 are read as numbers', () => {
    expect(chosenSettings(draft({ settings: { learningRate: '1.2e-05' } }))).toEqual({ learningRate: 0.000012 })
  })
  test('the word of a field for "none" is sent as null, and method fields become one object', () => {
    expect(
      chosenSettings(draft({ settings: { evalSteps: 'never', 'method.rank': '8', 'earlyStopping.patience': '2', maxSteps: ' ' } })),
    ).toEqual({ evalSteps: null, method: { kind: 'lora', rank: 8 }, earlyStopping: { patience: 2 } })
    expect(chosenSettings(draft({ settings: { 'method.kind': 'full', 'method.rank': '8' } }))).toEqual({ method: { kind: 'full' } })
  })
  test('settings of another strategy are left out', () => {
    expect(chosenSettings(draft({ settings: { generations: '4' } }))).toEqual({})
    expect(chosenSettings(draft({ strategy: 'grpo', settings: { generations: '4' } }))).toEqual({ generations: 4 })
  })
})

describe('settings of the libraries', () => {
  const typed = {
    dpoLossType: 'sigmoid, sft',
    lossWeights: '1, 0.2',
    'method.modulesToSave': 'lm_head',
    'reportTo.tensorboard': 'true',
    warmupSteps: 'by ratio',
  }
  const parsed = {
    dpoLossType: ['sigmoid', 'sft'],
    lossWeights: [1, 0.2],
    method: { kind: 'lora', modulesToSave: ['lm_head'] },
    reportTo: { tensorboard: true },
    warmupSteps: null,
  }
  test('have lists and switches, and are restored as typed', () => {
    expect(chosenSettings(draft({ strategy: 'dpo', settings: typed }))).toEqual(parsed)
    expect(draftOf({ settings: parsed as never }).settings).toEqual({ ...typed, 'method.kind': 'lora' })
  })
  test('report an invalid list item for the field of the list', () => {
    const read = requestOf(draft({ strategy: 'dpo', settings: { dpoLossType: 'sigmoid, magic' } }))
    expect('errors' in read && Object.keys(read.errors)).toEqual(['dpoLossType'])
  })
  test('are all in the form, with a label and a help text', () => {
    const { reportTo: _reports, ...others } = Knobs
    const declared = [
      ...Object.keys(others),
      ...Object.keys(LoraKnobs).map((name) => `method.${name}`),
      ...Object.keys(ReportTo.shape).map((name) => `reportTo.${name}`),
    ]
    const fields = new Map(ALL_FIELDS.map((field) => [field.path, field]))
    expect(declared.filter((path) => !fields.get(path)?.label || !fields.get(path)?.meaning)).toEqual([])
  })
})

describe('a request becomes a form', () => {
  test('that becomes the same request again', () => {
    const request = RunRequest.parse({
      name: 'again',
      strategy: 'grpo',
      baseModel: 'tiny',
      file: '/rows.jsonl',
      valFile: '/val.jsonl',
      mix: [{ datasetId: 'd2', weight: 0.25 }],
      preset: 'quick',
      tags: ['a', 'b'],
      settings: {
        learningRate: 1e-5,
        evalSteps: null,
        generations: 4,
        rewards: [{ kind: 'format', weight: 2 }],
        method: { kind: 'lora', rank: 4 },
      },
    })
    const read = requestOf(draftOf(request))
    expect('request' in read && read.request).toEqual(request)
  })
  test('and a partial request changes only the fields it contains', () => {
    expect(draftOf({ preset: 'thorough' }, draft({ settings: { epochs: '7' } }))).toEqual(
      draft({ preset: 'thorough', settings: { epochs: '7' } }),
    )
  })
})

test('every field names a setting of the contract', () => {
  const settings = TrainSettings.parse({ learningRate: 1, earlyStopping: {} })
  for (const { path } of ALL_FIELDS) {
    let value: unknown = settings
    for (const name of path.split('.')) value = (value as Record<string, unknown>)[name]
    if (value === undefined) throw new Error(`There is no setting ${path}.`)
  }
  expect(settingText(settings, 'maxSteps')).toBe('by epochs')
  expect(settingText(settings, 'method.rank')).toBe('16')
})

test('a command is quoted when a shell requires it', () => {
  expect(shellWords(['python', '-m', 'x', "/a b/it's"])).toBe(String.raw`python -m x '/a b/it'\''s'`)
})

describe('advice of a plan', () => {
  test('names fields by their labels and fills them in', () => {
    const change = { maxLength: 4096, microBatch: null, 'method.quantized': false }
    expect(adviceLabel(change)).toBe('Set Max length to 4096 and Micro-batch size to whole batch and 4-bit base weights to off')
    expect(chosenSettings(withAdvice(draft({ settings: { maxLength: '64', epochs: '2' } }), change))).toEqual({
      maxLength: 4096,
      microBatch: null,
      epochs: 2,
      method: { kind: 'lora', quantized: false },
    })
  })
})
