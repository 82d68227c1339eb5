interface TestCall {
  name: string
  input: object
  output: string
  fails?: boolean
  refused?: boolean
}

/** For tests: a Bash call of a session. */
export const bash = (command: string, output: string, fails = false): TestCall => ({
  name: 'Bash',
  input: { command, description: 'x' },
  output,
  fails,
})

/** For tests: the transcript of a Claude Code session with a prompt and calls. */
export function transcriptOf(
  id: string,
  prompt: string,
  calls: readonly TestCall[],
  { cwd = '/home/dev/api', from = Date.UTC(2026, 10, 1, 10) }: { cwd?: string; from?: number } = {},
): string {
  const at = (second: number) => new Date(from + second * 1000).toISOString()
  const common = { sessionId: id, version: '2.1.329', cwd, gitBranch: 'main', userType: 'external', isSidechain: false }
  const lines: object[] = [
    { ...common, type: 'user', uuid: `${id}-p`, parentUuid: null, timestamp: at(0), message: { role: 'user', content: prompt } },
  ]
  let parentUuid = `${id}-p`
  calls.forEach(({ name, input, output, fails = false, refused = false }, index) => {
    const call = `${id}-c${index}`
    const content = [{ type: 'tool_use', id: `toolu_${id}_${index}`, name, input }]
    const usage = { input_tokens: 10, output_tokens: 10 }
    lines.push({
      ...common,
      type: 'assistant',
      uuid: call,
      parentUuid,
      timestamp: at(index * 2 + 1),
      requestId: `r${id}${index}`,
      message: { id: `m${id}${index}`, role: 'assistant', model: 'claude-opus-4-5', content, usage },
    })
    const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    const result = {
      type: 'tool_result',
      tool_use_id: `toolu_${id}_${index}`,
      content: refused ? refusal : output,
      is_error: fails || refused,
    }
    lines.push({
      ...common,
      type: 'user',
      uuid: `${call}-r`,
      parentUuid: call,
      timestamp: at(index * 2 + 2),
      message: { role: 'user', content: [result] },
      toolUseResult: refused ? 'User rejected tool use' : fails ? `Error: ${output}` : { stdout: output, stderr: '' },
    })
    parentUuid = `${call}-r`
  })
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
