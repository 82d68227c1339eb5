import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { scoreSource, scoreSteps } from './score-file.ts'
import { looksLikeStepsFile, parseStepsFile } from './steps-file.ts'

const refusal = (text: string): string => {
  try {
    parseStepsFile(text, 'steps.json')
    return 'taken'
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('a steps file', () => {
  it('gives exactly the documented fields', () => {
    const file = path.join(newFolder(), 'steps.json')
    fs.writeFileSync(
      file,
      JSON.stringify([
        { tool: 'Bash', command: 'cargo test 2>&1 | tee out.log', exitCode: 0, output: 'test result: FAILED. 3 passed; 1 failed' },
      ]),
    )
    const document = scoreSource(file, { policy: 'thresholds' })
    expect(Object.keys(document)).toEqual(['metrics', 'quality', 'tier', 'unverified', 'policy', 'scoreVersion', 'evidence'])
    expect(document).toMatchObject({
      tier: 'failed',
      policy: 'thresholds',
      unverified: false,
      scoreVersion: 2,
      evidence: [{ step: '0', command: 'cargo test', kind: 'test', result: 'failed', guessed: false, decides: true }],
    })
    fs.rmSync(path.dirname(file), { recursive: true })
  })

  it('has quality null if no outcome is known', () => {
    const document = scoreSource(parseStepsFile('[{"tool":"Bash","command":"ls"}]', 'x'), { policy: 'verified_first' })
    expect(document).toMatchObject({ quality: null, tier: 'pending', evidence: [] })
    expect(scoreSource([], { policy: 'thresholds' })).toMatchObject({
      quality: null,
      tier: 'pending',
      metrics: { successRate: null, efficiency: 0.5 },
    })
  })

  it.each([
    [{ success: true, isError: true, exitCode: 1 }, true],
    [{ success: false, exitCode: 0 }, false],
    [{ isError: true, exitCode: 0 }, false],
    [{ exitCode: 0 }, true],
    [{ exitCode: 2 }, false],
    [{ isError: false, exitCode: 2 }, false],
    [{ isError: false }, true],
    [{ success: null, exitCode: null, isError: null }, null],
    [{}, null],
  ])('reads the outcome of %j as %s', (fields, success) => {
    expect(parseStepsFile(JSON.stringify([{ tool: 'Bash', ...fields }]), 'x')[0]?.success).toBe(success)
  })

  it.each([
    ['{"tool":"Bash"}', 'steps.json is not a steps file: expected a JSON array of steps, found an object.'],
    ['[{"tool":"Bash"},{"command":"ls"}]', 'steps.json: step 1, field "tool": is missing.'],
    ['[{"tool":"Bash","command":5}]', /^steps\.json: step 0, field "command": .*string.*\.$/],
    ['[{"tool":"Bash","exitCode":"0"}]', /^steps\.json: step 0, field "exitCode": .*number/],
    ['[{"tool":"Bash"},{"tool":"Bash"},7]', /^steps\.json: step 2: .*object/],
    ['[{', /^steps\.json is not JSON: /],
    ['', /^steps\.json is not JSON: /],
  ])('rejects %s and names the position', (text, message) => {
    expect(refusal(text)).toMatch(message)
  })

  it('is distinguished from a transcript', () => {
    expect(looksLikeStepsFile('\uFEFF \n[{"tool":"Bash"}]')).toBe(true)
    expect(looksLikeStepsFile('{"type":"user"}\n')).toBe(false)
  })

  it('counts edits by tools that change files', () => {
    const steps = [
      { tool: 'Bash', command: 'pytest', success: true },
      { tool: 'Edit', input: { file_path: '/a' }, success: true },
      { tool: 'Write', input: { file_path: '/b' }, success: false },
    ]
    expect(scoreSteps(parseStepsFile(JSON.stringify(steps), 'x')).filesEditedAfter).toBe(1)
  })
})
