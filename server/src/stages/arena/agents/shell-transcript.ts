import { randomUUID } from 'node:crypto'
import { isoOf } from '#contracts/instant.ts'
import type { EpisodeTurn } from '../episode/episode.ts'
import type { AgentEnd, AgentWork } from './driver.ts'

interface Session {
  work: Pick<AgentWork, 'prompt' | 'workdir' | 'model'>
  startedAt: number
  turns: readonly EpisodeTurn[]
}

/** Writes the session as a transcript of Claude Code, a format that all of Bash Gym reads; each command is a Bash call. */
export function transcriptOf({ work, startedAt, turns }: Session): AgentEnd['transcript'][number] {
  const sessionId = randomUUID()
  const common = { isSidechain: false, userType: 'external', entrypoint: 'bashgym-shell', cwd: work.workdir, sessionId, version: '2.1.0' }
  let parentUuid: string | null = null
  const record = (at: number, type: 'user' | 'assistant', message: Record<string, unknown>, extra = {}) => {
    const uuid = randomUUID()
    const text = JSON.stringify({ parentUuid, type, message: { role: type, ...message }, uuid, timestamp: isoOf(at), ...common, ...extra })
    parentUuid = uuid
    return text
  }
  const lines = [record(startedAt, 'user', { content: work.prompt })]
  for (const turn of turns) {
    const call = `toolu_${randomUUID().replaceAll('-', '')}`
    lines.push(
      record(turn.at - Math.round(turn.commandMs), 'assistant', {
        id: `msg_${randomUUID().replaceAll('-', '')}`,
        type: 'message',
        model: work.model ?? 'unknown',
        content: [
          ...(turn.thinking === '' ? [] : [{ type: 'thinking', thinking: turn.thinking, signature: '' }]),
          { type: 'tool_use', id: call, name: 'Bash', input: { command: turn.command } },
        ],
        stop_reason: 'tool_use',
        usage: {
          input_tokens: turn.usage.input - (turn.usage.cacheRead ?? 0) - (turn.usage.cacheWrite ?? 0),
          output_tokens: turn.usage.output,
          cache_read_input_tokens: turn.usage.cacheRead ?? 0,
          cache_creation_input_tokens: turn.usage.cacheWrite ?? 0,
        },
      }),
      record(
        turn.at,
        'user',
        { content: [{ type: 'tool_result', tool_use_id: call, content: resultOf(turn), is_error: turn.exitCode !== 0 }] },
        {
          toolUseResult: turn.exitCode === 0 ? { stdout: turn.output, stderr: '', interrupted: turn.timedOut } : `Error: ${resultOf(turn)}`,
        },
      ),
    )
  }
  const slug = work.workdir.replaceAll(/[^A-Za-z0-9]/g, '-')
  return { path: `projects/${slug}/${sessionId}.jsonl`, content: Buffer.from(`${lines.join('\n')}\n`) }
}

const resultOf = ({ output, exitCode }: EpisodeTurn) => (exitCode === 0 ? output : `Exit code ${exitCode}\n${output}`)
