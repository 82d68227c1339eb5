import { expect, test } from 'vitest'
import { TrainSettings } from '#contracts/trainer.ts'
import { listSettings } from './setting-list.ts'

test('the settings of a run have the words of the form, and those of other strategies are left out', () => {
  const settings = TrainSettings.parse({ learningRate: 1e-4, groupByLength: true, evalSteps: null })
  const listed = listSettings(settings, 'sft')
  expect(listed.slice(0, 2)).toEqual([
    { path: 'method.kind', label: 'Method', value: 'LoRA adapter' },
    { path: 'learningRate', label: 'Learning rate', value: '0.0001' },
  ])
  expect(listed).toContainEqual({ path: 'groupByLength', label: 'Group by length', value: 'on' })
  expect(listed).toContainEqual({ path: 'evalSteps', label: 'Evaluate every', value: 'never' })
  expect(listed).toContainEqual({ path: 'earlyStopping.patience', label: 'Stop early after', value: 'off' })
  expect(listed.filter(({ path }) => ['generations', 'dpoLossType', 'beta'].includes(path))).toEqual([])
  expect(listSettings(settings, 'dpo')).toContainEqual({ path: 'dpoLossType', label: expect.any(String) as string, value: 'sigmoid' })
  expect(listSettings(settings, 'grpo').map(({ path }) => path)).toContain('generations')
})

test('epochs that max steps replaces are not shown as a number', () => {
  const epochs = (more: object) =>
    listSettings(TrainSettings.parse({ learningRate: 1e-4, epochs: 1, ...more }), 'sft').find(({ path }) => path === 'epochs')?.value
  expect([epochs({}), epochs({ maxSteps: 60 })]).toEqual(['1', 'by max steps'])
})
