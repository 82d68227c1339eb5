import type { Agent } from '#contracts/entities/common.ts'
import { AppError } from '#contracts/errors.ts'
import { ClaudeCodeReader, type ClaudeCodeReaderOptions } from './claude-code/reader.ts'
import { dialectOf } from './dialects/index.ts'
import { DialectReader } from './dialects/reader.ts'
import type { Reader } from './reader.ts'

/** The reader for an agent's transcripts. */
export function createReader(agent: Agent, options: ClaudeCodeReaderOptions): Reader {
  if (agent === 'claude-code') return new ClaudeCodeReader(options)
  const dialect = dialectOf(agent)
  if (dialect) return new DialectReader(dialect, { ...options, agent })
  throw new AppError('invalid_request', {
    message: `${agent} sessions are in the archive, but this version can't read them. It reads Claude Code, Codex, Gemini CLI, OpenCode and ATIF.`,
  })
}
