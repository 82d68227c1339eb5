import { randomUUID } from 'node:crypto'

export interface ShellTurn {
  prompt: string
  /** The shell calls of the turn, in order. */
  commands: (string | { command: string; fails: true })[]
}

/** Builds the lines of a transcript whose commands run one after the other. */
export function shellSession(
  cwd: string,
  turns: readonly ShellTurn[],
  sessionId: string = randomUUID(),
): { sessionId: string; text: string } {
  const base = { isSidechain: false, userType: 'external', cwd, sessionId, version: '2.1.329', gitBranch: 'main' }
  let parentUuid: string | null = null
  let second = 0
  const lines: object[] = []
  const add = (line: object) => {
    const uuid = randomUUID()
    lines.push({ ...base, parentUuid, uuid, timestamp: new Date(Date.UTC(2026, 10, 2, 10, 0, (second += 1))).toISOString(), ...line })
    parentUuid = uuid
  }
  for (const { prompt, commands } of turns) {
    add({ type: 'user', message: { role: 'user', content: prompt } })
    for (const one of commands) {
      const [command, fails] = typeof one === 'string' ? [one, false] : [one.command, true]
      const id = `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`
      const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', usage: { input_tokens: 1, output_tokens: 1 } } // prettier-ignore
      add({
        type: 'assistant',
        message: { ...message, content: [{ type: 'tool_use', id, name: 'Bash', input: { command, description: 'work' } }] },
      })
      const content = fails ? 'Exit code 1\nno' : 'done'
      const toolUseResult = fails ? 'Error: Exit code 1\nno' : { stdout: 'done', stderr: '', interrupted: false, isImage: false }
      add({
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: fails }] },
        toolUseResult,
      })
    }
  }
  return { sessionId, text: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }
}
