import path from 'node:path'
import type { z } from 'zod'
import type { ChangedFile, PatchHunk } from '#contracts/entities/step.ts'
import { detach, firstLine, isObject, textOrNull } from './record.ts'

type Hunk = z.infer<typeof PatchHunk>
export type Input = Record<string, unknown>

/** Tool names of Claude Code, then Codex, Gemini, OpenCode and OpenHands (in ATIF), whose names do not collide. */
const WRITING: ReadonlySet<string> = new Set(['Write', 'write_file', 'write'])
const EDITING: ReadonlySet<string> = new Set([
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'apply_patch',
  'replace',
  'edit',
  'multiedit',
  ...WRITING,
])
const READING: ReadonlySet<string> = new Set(['Read', 'NotebookRead', 'read_file', 'read'])
const SHELLS: ReadonlySet<string> = new Set([
  'Bash',
  'PowerShell',
  'exec_command',
  'shell',
  'shell_command',
  'local_shell',
  'container.exec',
  'run_shell_command',
  'bash',
  'execute_bash',
])
const AGENT_TOOLS: ReadonlySet<string> = new Set(['Agent', 'Task'])

export const isEditing = (tool: string): boolean => EDITING.has(tool)
export const isWriting = (tool: string): boolean => WRITING.has(tool)
export const isShell = (tool: string): boolean => SHELLS.has(tool)
export const isReading = (tool: string): boolean => READING.has(tool)
export const isAgentCall = (tool: string): boolean => AGENT_TOOLS.has(tool)

/** Shell text of a shell tool: `command` or (Codex) `cmd`, also as the arguments of a shell, `["bash", "-lc", text]`. */
export function commandOf(tool: string, input: Input): string | null {
  if (!isShell(tool)) return null
  const command = input.command ?? input.cmd
  if (!Array.isArray(command)) return textOrNull(command)
  const words = command.filter((word) => typeof word === 'string')
  return words.length === 3 && /^-l?c$/.test(words[1]!) ? words[2]! : textOrNull(words.join(' '))
}

/** The file that a call reads or changes, absolute if the call or its directory allows. */
export function fileOf(tool: string, input: Input, cwd: string | null): string | null {
  if (!EDITING.has(tool) && !READING.has(tool)) return null
  const file = firstText(input, ['file_path', 'notebook_path', 'filePath', 'absolute_path', 'path']) ?? patchedFile(tool, input)
  if (file === null) return null
  // Windows paths are unchanged, because the archive may be read on another system.
  if (path.posix.isAbsolute(file) || /^[A-Za-z]:[\\/]/.test(file) || cwd === null || !path.posix.isAbsolute(cwd)) return file
  return path.posix.join(cwd, file)
}

/** One line for the timeline: the command, the file, the pattern, the task. */
export function labelOf(tool: string, input: Input, file: string | null): string | null {
  const label =
    commandOf(tool, input) ??
    textOrNull(input.command) ??
    file ??
    textOrNull(input.pattern) ??
    textOrNull(input.query) ??
    textOrNull(input.url) ??
    textOrNull(input.description) ??
    textOrNull(input.subject) ??
    textOrNull(input.skill) ??
    textOrNull(input.prompt) ??
    textOrNull(input.path)
  if (label !== null) return firstLine(label)
  for (const value of Object.values(input)) if (typeof value === 'string' && value.trim() !== '') return firstLine(value)
  return tool.startsWith('mcp__') ? tool.split('__').slice(1).join(' ') : null
}

/** The change that a call made: the client's hunks, else hunks from its input, with 0 for unknown line numbers. */
export function patchOf(tool: string, input: Input, structured: unknown): Hunk[] | null {
  if (!EDITING.has(tool)) return null
  if (isObject(structured) && Array.isArray(structured.structuredPatch)) {
    const hunks = structured.structuredPatch.filter((hunk): hunk is Hunk => isHunk(hunk))
    if (hunks.length > 0) return hunks
  }
  if (tool === 'apply_patch') return patchHunks(textOrNull(input.input) ?? '')
  const edits = Array.isArray(input.edits) ? input.edits.filter(isObject) : [input]
  const hunks = edits.flatMap((edit) => {
    const before = firstText(edit, ['old_string', 'oldString'])
    const after = firstText(edit, ['new_string', 'newString', 'content', 'new_source'])
    return before === null && after === null ? [] : [hunkOf(before, after)]
  })
  return hunks.length > 0 ? hunks : null
}

/** The files that a shell command changed, from the client's `bashEditDiff`: with their lines, or only named. */
export function shellChanges(tool: string, structured: unknown): ChangedFile[] {
  const diff = isShell(tool) && isObject(structured) ? structured.bashEditDiff : null
  if (!isObject(diff)) return []
  const changes = new Map<string, ChangedFile>()
  for (const file of Array.isArray(diff.files) ? diff.files.filter(isObject) : []) {
    const name = textOrNull(file.filePath)
    const hunks = Array.isArray(file.hunks) ? file.hunks.filter((hunk): hunk is Hunk => isHunk(hunk)) : []
    if (name !== null) changes.set(name, { path: name, patch: hunks, created: file.created === true, deleted: file.deleted === true })
  }
  for (const name of Array.isArray(diff.changedFiles) ? diff.changedFiles : [])
    if (typeof name === 'string' && name !== '' && !changes.has(name))
      changes.set(name, { path: name, patch: null, created: false, deleted: false })
  return [...changes.values()]
}

/** A file that a shell command changed, as far as rows need it. */
export interface ChangedPath {
  file: string
  created: boolean
}

export const changedFiles = (tool: string, structured: unknown): readonly ChangedPath[] =>
  shellChanges(tool, structured).map(({ path: file, created }) => ({ file: detach(file), created }))

function firstText(input: Input, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textOrNull(input[name])
    if (text !== null) return text
  }
  return null
}

/** The first file of a Codex patch. */
function patchedFile(tool: string, input: Input): string | null {
  if (tool !== 'apply_patch') return null
  return /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(textOrNull(input.input) ?? '')?.[1]?.trim() ?? null
}

/** Hunks of a Codex patch, which start at `@@` or the next file; their line numbers are unknown, so they are 0. */
function patchHunks(patch: string): Hunk[] | null {
  const hunks = patch.split(/^(?:@@.*|\*\*\* .*)$/m).flatMap((section) => {
    const lines = section.split('\n').filter((line) => /^[ +-]/.test(line))
    if (!lines.some((line) => /^[+-]/.test(line))) return []
    const count = (marks: RegExp) => lines.filter((line) => marks.test(line)).length
    return [{ oldStart: 0, oldLines: count(/^[ -]/), newStart: 0, newLines: count(/^[ +]/), lines }]
  })
  return hunks.length > 0 ? hunks : null
}

function hunkOf(before: string | null, after: string | null): Hunk {
  const oldLines = linesOf(before)
  const newLines = linesOf(after)
  const isNew = before === null
  return {
    oldStart: 0,
    oldLines: oldLines.length,
    newStart: isNew ? 1 : 0,
    newLines: newLines.length,
    lines: [...oldLines.map((line) => `-${line}`), ...newLines.map((line) => `+${line}`)],
  }
}

function linesOf(text: string | null): string[] {
  if (text === null) return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

const isHunk = (value: unknown): boolean =>
  isObject(value) &&
  Number.isInteger(value.oldStart) &&
  Number.isInteger(value.oldLines) &&
  Number.isInteger(value.newStart) &&
  Number.isInteger(value.newLines) &&
  Array.isArray(value.lines) &&
  value.lines.every((line) => typeof line === 'string')

/** The commit that a call made: from the client's record, else `[branch sha]` in the output of a `git commit`. */
export function commitOf(tool: string, input: Input, structured: unknown, output: string): string | null {
  if (isObject(structured) && isObject(structured.gitOperation) && isObject(structured.gitOperation.commit)) {
    return textOrNull(structured.gitOperation.commit.sha)
  }
  const command = commandOf(tool, input)
  if (command === null || !/\bgit\b[^|;&\n]*\bcommit\b/.test(command)) return null
  return /^\[[^\]\n]*?\b([0-9a-f]{7,40})\]/m.exec(output)?.[1] ?? null
}

/** The archived file with a complete large output: the base name under `tool-results/`. */
export function spillOf(structured: unknown, output: string): string | null {
  const persistedPath = isObject(structured) ? textOrNull(structured.persistedOutputPath) : null
  if (persistedPath !== null) return baseName(persistedPath)
  if (!output.startsWith('<persisted-output>')) return null
  const savedPath = /saved to: (.+?)\s*$/m.exec(output.slice(0, 2000))?.[1]
  return savedPath === undefined ? null : baseName(savedPath)
}

export const baseName = (file: string): string => file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
