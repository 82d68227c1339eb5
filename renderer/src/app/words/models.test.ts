import { expect, test } from 'vitest'
import { modelWord } from './models.ts'

test('a model trained here is shown by its name, any other by the last part of its path or id', () => {
  const id = 'onpdylf4jxwlvxarcfw6sobcqv'
  const names = new Map([[id, 'names a colour']])
  expect(modelWord(`/data/models/${id}/final`, names)).toBe('names a colour')
  expect(modelWord(`/data/models/${id}/merged/`, new Map())).toBe('run onpdylf4')
  expect(modelWord('Qwen/Qwen2.5-Coder-1.5B', names)).toBe('Qwen2.5-Coder-1.5B')
  expect(modelWord('/home/me/models/final', names)).toBe('final')
})
