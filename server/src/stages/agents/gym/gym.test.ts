import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import type { Reply } from '#server/adapters/llm/testing-stub.ts'
import { useFolder } from '#server/testing/folders.ts'
import { useServer, useStub } from '#server/testing/use.ts'
import { endOf } from '../testing-end.ts'
import { makeRepository, writeInto } from '../testing-repository.ts'

const PROJECT = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  'sum.js': 'module.exports = (a, b) => a - b\n',
  'sum.test.js': "require('node:test')('adds', () => require('node:assert').equal(require('./sum.js')(1, 2), 3))\n",
}

type Call = [tool: string, input: object]
const answer = (text: string, ...calls: Call[]): Reply => ({
  raw: JSON.stringify({
    choices: [
      {
        message: {
          content: text,
          tool_calls: calls.map(([name, input]) => ({ id: 'x', type: 'function', function: { name, arguments: JSON.stringify(input) } })),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  }),
})

describe.skipIf(findBubblewrap() === null)('a run of the gym agent', () => {
  const root = useFolder()
  const server = useServer()
  let replies: Reply[] = []
  const stub = useStub(() => replies.shift() ?? answer('Done.'))
  const start = async (prompt: string, ...given: Reply[]) => {
    replies = given
    stub.received.length = 0
    const directory = makeRepository(root, PROJECT)
    writeInto(directory, { 'notes.md': 'not committed\n' })
    const endpoint = { kind: 'url', dialect: 'openai', baseUrl: stub.url } as const
    const body = { prompt, directory, agent: 'gym', endpoint, model: 'tiny' } as const
    const task = await endOf(server.client, await server.client.createTask({ body }))
    return { task, directory, asked: stub.received.map(({ body: { messages } }) => messages) }
  }

  it('has the tools of Claude Code on a copy, and the words of its training', async () => {
    const { task, directory, asked } = await start(
      'Mend the sum.',
      answer('I look.', ['Glob', { pattern: '*.md' }], ['Grep', { pattern: 'a - b' }]),
      answer('', ['Edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' }]),
      answer('', ['Read', { file_path: 'sum.js' }]),
      answer(
        '',
        ['Edit', { file_path: 'sum.js', old_string: 'a * b', new_string: '' }],
        ['Edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' }],
      ),
      answer(
        '',
        ['Bash', { command: 'node sum.test.js > /dev/null && echo ok; exit 3' }],
        ['Write', { file_path: 'deep/new.txt', content: '$& x' }],
        ['Bash', { command: 'rm -rf ~' }],
      ),
      answer('', ['Agent', { prompt: 'x' }], ['Read', { file_path: '/etc/shadow-of-nobody' }], ['Bash', {}]),
      answer('The sum is mended.'),
    )
    const results = asked
      .at(-1)!
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content)
    expect(results).toEqual([
      expect.stringMatching(/\/notes\.md$/),
      'Found 1 file\nsum.js',
      '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
      '1\tmodule.exports = (a, b) => a - b\n2\t',
      expect.stringContaining('String to replace not found in file.'),
      expect.stringContaining('The file sum.js has been updated successfully.'),
      'Exit code 3\nok',
      expect.stringContaining('File created successfully at: deep/new.txt'),
      expect.stringContaining('would delete a system or home folder'),
      '<tool_use_error>Error: No such tool available: Agent</tool_use_error>',
      expect.stringContaining('File does not exist.'),
      expect.stringContaining('InputValidationError: Bash failed'),
    ])
    expect(asked[0]![0]!.content).toMatch(
      /^You are a coding agent\. You work in the project of the user[^]*Working directory: \/.*\nGit branch: trunk$/,
    )
    expect(asked[0]!.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(task).toMatchObject({
      state: 'review',
      claim: 'success',
      turns: 7,
      tokens: { input: 700, output: 70 },
      change: { files: 2 },
      verification: { status: 'passed', passed: 1 },
    })
    expect(fs.readFileSync(path.join(directory, 'sum.js'), 'utf8')).toBe(PROJECT['sum.js'])
    expect(fs.existsSync(path.join(directory, 'deep'))).toBe(false)
    const trace = await server.client.getTrace({ params: { id: task.traceId! } })
    expect(trace).toMatchObject({ counts: { toolCalls: 12 }, models: [] })
  })

  it('refuses what would stop the app, and goes on', async () => {
    const fill = `node -e "require('fs').writeFileSync('long.txt', 'a'.repeat(3000))"; ln -s /dev/zero endless`
    const { task, asked } = await start(
      'Look.',
      answer(
        '',
        ['Glob', { pattern: '{a,b}'.repeat(40) }],
        ['Glob', { pattern: '{*.md,s[tu]m.?s,deep/**}' }],
        ['Glob', { pattern: '*', path: 'nowhere' }],
        ['Glob', { pattern: 'a\0b' }],
        ['Grep', { pattern: 'x'.repeat(5000) }],
      ),
      answer('', ['Bash', { command: fill }], ['Read', { file_path: 'long.txt' }], ['Read', { file_path: 'endless' }]),
      answer('', ['Edit', { file_path: 'long.txt', old_string: 'a', new_string: 'b'.repeat(1000), replace_all: true }]),
      answer('I saw it.'),
    )
    const results = asked.at(-1)!.flatMap(({ role, content }) => (role === 'tool' ? content : []))
    expect(results).toEqual([
      'No files found',
      expect.stringMatching(/\/notes\.md\n.*\/sum\.js$/),
      expect.stringContaining('Directory does not exist'),
      expect.stringContaining('has a NUL byte'),
      expect.stringContaining('InputValidationError: Grep failed'),
      '(Bash completed with no output)',
      `1\t${'a'.repeat(2000)}`,
      expect.stringContaining('File does not exist'),
      expect.stringContaining('would exceed 2000000 bytes'),
    ])
    expect(task).toMatchObject({ claim: 'success', turns: 4 })
  })

  it('goes on after a message, and ends with the reason when its model makes no sense', async () => {
    const { task } = await start('Look.', answer('I saw it.'))
    expect(task).toMatchObject({ claim: 'success', change: { files: 0 } })
    replies = [answer('', ['Bash', { command: 'cat notes.md' }]), answer('', ['Bad name', {}])]
    await server.client.messageTask({ params: { id: task.id }, body: { text: 'Go on.' } })
    const again = await endOf(server.client, task)
    expect(again).toMatchObject({ claim: 'failure', turns: 2 })
    const messages = stub.received.at(-1)!.body.messages.map(({ role, content }) => `${role}: ${content}`)
    expect(messages.slice(1)).toEqual(['user: Look.', 'assistant: I saw it.', 'user: Go on.', 'assistant: ', 'tool: not committed'])
  })
})
