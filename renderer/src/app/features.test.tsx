import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { useCommands } from './commands.ts'
import { FEATURES } from './features.ts'

const twice = (values: readonly unknown[]) => values.filter((value, index) => values.indexOf(value) !== index)

test('no two entries of features have the same order or id', () => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  )
  const commands = renderHook(useCommands, { wrapper }).result.current
  const status = FEATURES.flatMap(({ status = [] }) => status)
  const settings = FEATURES.flatMap(({ settings = [] }) => settings)
  expect(twice(commands.map(({ order }) => order))).toEqual([])
  expect(twice(commands.map(({ id }) => id))).toEqual([])
  expect(twice(status.map(({ side, order }) => `${side} ${order}`))).toEqual([])
  expect(twice(settings.map(({ order }) => order))).toEqual([])
  expect(twice(settings.map(({ id }) => id))).toEqual([])
  expect(twice(FEATURES.flatMap(({ pages = [] }) => pages).map(({ path }) => path))).toEqual([])
  expect(twice(FEATURES.flatMap(({ sections = [] }) => sections).map(({ path }) => path))).toEqual([])
  expect(twice(FEATURES.flatMap(({ jobs = [] }) => jobs).map(({ kind }) => kind))).toEqual([])
})
