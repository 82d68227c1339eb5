import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { growthFault } from '#server/testing-growth.ts'
import { parseAnswer, TORN } from './index.ts'

interface Case {
  answer: string
  calls: [string, Record<string, unknown>][]
  torn?: boolean
}
const file = new URL('../../../python/bashgym/tests/calls.json', import.meta.url)
const { command, forms, families } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
  command: string
  forms: Case[]
  families: Record<string, string>
}

/** A call in the words of any family, as `call_of` of the Python package reads it. */
function callOf(written: unknown): [string, Record<string, unknown>] {
  const { name, tool_name: toolName, arguments: args, parameters } = written as Record<string, unknown>
  const given = args ?? parameters
  return [String(name ?? toolName), (given === '' || given === undefined ? null : given) as Record<string, unknown>]
}

describe('the calls in an answer', () => {
  it.each(forms)('are those that the Python package reads: $answer', ({ answer, calls, torn = false }) => {
    const { found, text } = parseAnswer(answer)
    const written = found?.written ?? []
    expect(written.includes(TORN)).toBe(torn)
    const read = written.filter((one) => one !== TORN).map(callOf)
    expect(read.map(([name, args]) => [name, args ?? {}])).toEqual(calls)
    expect(found !== null || text === answer).toBe(true)
  })

  it.each(Object.entries(families))('are read as the template of %s writes them', (_, answer) => {
    const { found, text } = parseAnswer(answer)
    expect(found?.written.map(callOf)).toEqual([['terminal', { command }]])
    expect(text).toBe('')
  })

  it.each([
    '<tool_call><function=a><parameter=b>x</tool_call>',
    "<|tool_call_start|>[a(b='x<|tool_call_end|>",
    '<tool_call>{"a":',
    '<tool_call>{"a":0.0',
    'to=functions.a ',
    '<atem:invoke name="a"><atem:parameter name="b">',
    '<|tool_call>call:a{b:[',
    ' ',
    '0',
  ])('are looked for in linear time in repetitions of %j', async (unit) => {
    expect(await growthFault(parseAnswer, unit)).toBeNull()
  })
})
