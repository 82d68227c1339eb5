import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { readTranscriptFile } from './transcript-file.ts'

const SESSION = '11111111-1111-4111-8111-111111111111'
let folder: string
let outside: string
beforeEach(() => {
  const base = fs.realpathSync(newFolder())
  ;[folder, outside] = [path.join(base, 'project'), path.join(base, 'outside')]
  for (const place of [folder, outside]) fs.mkdirSync(place)
})

/** A transcript of one command. */
function write(file: string, command: string, agentId?: string): void {
  const common = { sessionId: SESSION, cwd: '/w', timestamp: '2026-11-21T10:00:00.000Z', ...(agentId && { agentId, isSidechain: true }) }
  const call = { type: 'tool_use', id: `toolu_${command}`, name: 'Bash', input: { command } }
  const lines = [
    { type: 'user', uuid: `${command}-1`, parentUuid: null, message: { role: 'user', content: 'go' }, ...common },
    { type: 'assistant', uuid: `${command}-2`, parentUuid: `${command}-1`, message: { role: 'assistant', model: 'm', content: [call] }, ...common },
  ] // prettier-ignore
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
const commands = (file: string) =>
  readTranscriptFile(file)
    .map(({ command }) => String(command))
    .toSorted()

it('the sub-agents beside a transcript are read, and nothing that links there lead to', () => {
  const file = path.join(folder, `${SESSION}.jsonl`)
  write(file, 'main')
  write(path.join(folder, 'agent-near.jsonl'), 'near', 'near')
  write(path.join(folder, SESSION, 'subagents', 'agent-deep.jsonl'), 'deep', 'deep')
  expect(commands(file)).toEqual(['deep', 'main', 'near'])

  write(path.join(outside, 'agent-secret.jsonl'), 'secret', 'secret')
  write(path.join(outside, 'subagents', 'agent-other.jsonl'), 'other', 'other')
  fs.symlinkSync(path.join(outside, 'agent-secret.jsonl'), path.join(folder, 'agent-secret.jsonl'))
  fs.symlinkSync(path.join(outside, 'subagents'), path.join(folder, SESSION, 'linked'))
  execFileSync('mkfifo', [path.join(folder, 'agent-pipe.jsonl')])
  execFileSync('mkfifo', [path.join(folder, SESSION, 'subagents', 'agent-pipe.jsonl')])
  fs.mkdirSync(path.join(folder, 'agent-folder.jsonl'))
  expect(commands(file)).toEqual(['deep', 'main', 'near'])

  fs.rmSync(path.join(folder, SESSION), { recursive: true })
  fs.symlinkSync(outside, path.join(folder, SESSION))
  expect(commands(file)).toEqual(['main', 'near'])
})
