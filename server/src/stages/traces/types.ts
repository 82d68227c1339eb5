import type { PatchHunk, TranscriptItem } from '#contracts/entities/step.ts'
import type { z } from 'zod'

/** A tool call with its result, made by all readers and read by analysers (scoring, …). */
export interface ParsedStep {
  /** `<traceId>:<tool_use_id>`, else by record uuid and block, else by source hash and line. */
  id: string
  /** "main" or the sub-agent id: metrics compare neighbours of one conversation. */
  conversation: string
  tool: string
  /** Shell text of a shell tool. */
  command: string | null
  input: Record<string, unknown>
  output: string | null
  success: boolean | null
  exitCode: number | null
  isError: boolean
  rejected: boolean
  answered: boolean
  cwd: string | null
  at: number | null
  /** The file that the call reads or changes, if it names one. */
  file: string | null
  /** Whether the call changed a file (edit, write, notebook edit) and did not fail. */
  edits: boolean
  patch: z.infer<typeof PatchHunk>[] | null
}

/**
 * Runs with the reader in the worker thread, so that a session is parsed once. `analyseStep` is called again when a
 * step's result arrives; its facts are small plain data. `analyseTrace` gets the facts in the order of the session, without
 * those of abandoned turns, and the number of all calls.
 * Its module exports `analyser`; app.ts passes the URL to the traces stage.
 */
export interface Analyser<Facts = unknown, Result = unknown, Options = unknown> {
  name: string
  analyseStep(step: ParsedStep, options: Options): Facts
  analyseTrace(facts: readonly Facts[], options: Options, calls: number): Result
}

/** One text of a session: its entry, which part of it, and (in the input of a call) the JSON pointer to the string. */
export interface Passage {
  entryId: string
  kind: TranscriptItem['kind']
  tool: string | null
  file: string | null
  at: string | null
  part: 'body' | 'result'
  path: string
  text: string
}

/** Reads every text for another stage; runs in a worker, so it takes and returns plain data. */
export interface PassageReader<Found = unknown, Options = unknown> {
  read(passage: Passage, options: Options): Found[]
}

/** Reads a whole session for another stage, as often as it likes; runs in a worker, so it takes and returns plain data. */
export interface SessionReader<Result = unknown, Options = unknown> {
  read(items: () => Iterable<TranscriptItem>, options: Options): Result
}
