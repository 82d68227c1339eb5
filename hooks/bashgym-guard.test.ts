import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commandFor, scriptFor } from '#server/stages/capture/hooks/hook-command.ts'
import { type Call, createDoor, type Decided } from '#server/stages/guardrails/client/door.ts'

const source = fs.readFileSync(path.join(import.meta.dirname, 'bashgym-guard.sh'), 'utf8')
const ASK = {
  hookEventName: 'PreToolUse',
  permissionDecision: 'ask',
  permissionDecisionReason: 'Bash Gym could not check this command.',
}
let root: string
let folder: string
let command: string
let calls: Call[]
let events: Decided[]
let door: ReturnType<typeof createDoor>

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-guard-'))
  const dataDir = path.join(root, `Jörg's $(touch x) "home"*`)
  folder = path.join(dataDir, 'guard')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(dataDir, 'guard-hook'), scriptFor(source, dataDir), { mode: 0o700 })
  command = commandFor(path.join(dataDir, 'guard-hook'))
  calls = []
  events = []
  door = createDoor({
    folder,
    async answer(call) {
      calls.push(call)
      if (call.tool_input.command === 'fail') throw new Error('fail')
      return `for ${JSON.stringify(call.tool_input.command)}`
    },
    decided: async (event) => void events.push(event),
    warn: () => undefined,
  })
})
afterEach(() => {
  door.close()
  fs.rmSync(root, { recursive: true, force: true })
})

const payload = (of: string) => ({
  session_id: 's',
  cwd: '/p',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: of },
})

async function hook(input: string, line = command): Promise<string> {
  const child = spawn('sh', ['-c', line], { env: { PATH: process.env['PATH']! }, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => undefined) // the line may end without reading
  child.stdin.end(input)
  const [output, code] = await Promise.all([text(child.stdout), new Promise((resolve) => child.once('close', resolve))])
  expect(code).toBe(0) // 2 would refuse the command
  return output.trim()
}
const wordsOf = (output: string): object => (output === '' ? {} : (JSON.parse(output) as { hookSpecificOutput: object }).hookSpecificOutput)

it('gives each of many calls its own answer, and leaves nothing behind', async () => {
  await door.open('nothing')
  const names = Array.from({ length: 20 }, (_, index) => `echo ${index} "é\n'${'x'.repeat(index * 2000)}"`)
  const answers = await Promise.all(names.map((name) => hook(JSON.stringify(payload(name)))))
  expect(answers.filter((answer, index) => answer !== `for ${JSON.stringify(names[index])}`)).toEqual([])
  expect(fs.readdirSync(folder)).toEqual(['app'])
})

it.each([
  ['no JSON', 'nonsense'],
  ['nothing', ''],
  ['a call without its command', JSON.stringify({ tool_name: 'Bash' })],
  ['a line of 5 MB', JSON.stringify(payload('x'.repeat(5_000_000)))],
  ['a check that fails', JSON.stringify(payload('fail'))],
])('says nothing about %s, or asks, as the user chose', async (_, input) => {
  await door.open('nothing')
  expect(await hook(input)).toBe('')
  await door.open('ask')
  expect(wordsOf(await hook(input))).toMatchObject(ASK)
})

it('checks a call whose payload does not name its event', async () => {
  await door.open('nothing')
  const { hook_event_name: _, ...rest } = payload('ls')
  expect(await hook(JSON.stringify(rest))).toBe('for "ls"')
})

it('does the same while the app is closed, was killed, is a number of somebody else, or hangs', async () => {
  for (const [unchecked, expected] of [
    ['nothing', {}],
    ['ask', ASK],
  ] as const) {
    await door.open(unchecked)
    door.close()
    const words = async () => wordsOf(await hook(JSON.stringify(payload('ls'))))
    expect(await words()).toEqual(expected)
    const { pid } = spawnSync('true')
    fs.writeFileSync(path.join(folder, 'app'), `${pid}\n`)
    expect(await words()).toEqual(expected)
    fs.writeFileSync(path.join(folder, 'app'), '-1\n')
    expect(await words()).toEqual(expected)
    fs.writeFileSync(path.join(folder, 'app'), `${process.pid}\n`) // nobody reads the question
    const script = path.join(folder, '..', 'guard-hook')
    fs.writeFileSync(script, fs.readFileSync(script, 'utf8').replace('sleep 10', 'sleep 1'))
    expect(await words()).toEqual(expected)
  }
  expect(calls).toEqual([])
  fs.rmSync(root, { recursive: true, force: true })
  expect(await hook(JSON.stringify(payload('ls')))).toBe('')
})

it('keeps what the mod decided until the app opens, and ignores what it cannot read', async () => {
  const tell = `sh '${path.join(folder, '..', 'guard-hook').replaceAll("'", `'\\''`)}' event`
  await hook(JSON.stringify({ ...payload('rm -rf /'), action: 'blocked' }), tell)
  await hook('nonsense', tell)
  expect(fs.readdirSync(folder)).toHaveLength(2)
  await door.open('nothing')
  expect(events).toMatchObject([{ action: 'blocked', tool_input: { command: 'rm -rf /' } }])
  expect(fs.readdirSync(folder)).toEqual(['app'])
})
