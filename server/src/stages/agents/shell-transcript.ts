import { hash } from 'node:crypto'
import { isoOf } from '#server/instant.ts'
import type { EpisodeTurn } from './episode/episode.ts'
import type { AgentEnd } from './driver.ts'

interface Session {
  session: string
  prompt: string
  workdir: string
  model: string | null
  startedAt: number
  turns: readonly EpisodeTurn[]
}

/**
 * Writes the session as a transcript of Claude Code, a format that all of Bash Gym reads; each command is a Bash call. The
 * transcript of an interrupted session is the beginning of the later one, byte by byte.
 */
export function transcriptOf({ session: sessionId, prompt, workdir, model, startedAt, turns }: Session): AgentEnd['transcript'][number] {
  const common = { isSidechain: false, userType: 'external', entrypoint: 'bashgym-shell', cwd: workdir, sessionId, version: '2.1.0' }
  let ids = 0
  const newId = () => hash('sha256', `${sessionId}:${ids++}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
  let parentUuid: string | null = null
  const record = (at: number, type: 'user' | 'assistant', message: Record<string, unknown>, extra = {}) => {
    const uuid = newId()
    const text = JSON.stringify({ parentUuid, type, message: { role: type, ...message }, uuid, timestamp: isoOf(at), ...common, ...extra })
    parentUuid = uuid
    return text
  }
  const lines = [record(startedAt, 'user', { content: prompt })]
  for (const turn of turns) {
    const call = `toolu_${newId().replaceAll('-', '')}`
    lines.push(
      record(turn.at - Math.round(turn.commandMs), 'assistant', {
        id: `msg_${newId().replaceAll('-', '')}`,
        type: 'message',
        model: model ?? 'unknown',
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
  const slug = workdir.replaceAll(/[^A-Za-z0-9]/g, '-')
  return { path: `projects/${slug}/${sessionId}.jsonl`, content: Buffer.from(`${lines.join('\n')}\n`) }
}

const resultOf = ({ output, exitCode }: EpisodeTurn) => (exitCode === 0 ? output : `Exit code ${exitCode}\n${output}`)
