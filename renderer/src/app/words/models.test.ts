import { expect, test } from 'vitest'
import { modelWord } from './models.ts'

test('a model is called by its name when it is ours, else by the last part of its place', () => {
  const id = 'onpdylf4jxwlvxarcfw6sobcqv'
  const names = new Map([[id, 'names a colour']])
  expect(modelWord(`/data/models/${id}/final`, names)).toBe('names a colour')
  expect(modelWord(`/data/models/${id}/merged/`, new Map())).toBe('run onpdylf4')
  expect(modelWord('Qwen/Qwen2.5-Coder-1.5B', names)).toBe('Qwen2.5-Coder-1.5B')
  expect(modelWord('/home/me/models/final', names)).toBe('final')
})
