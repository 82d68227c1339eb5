import { execa } from 'execa'

export interface Tool {
  found: boolean
  version: string | null
  /** What it said instead of a version. */
  detail: string | null
}

/** Runs `command args` for at most 5 s and takes the first version number from what it prints. Never throws. */
export async function probeTool(command: string, args: readonly string[]): Promise<Tool> {
  const result = await execa(command, [...args], { timeout: 5000, reject: false, stdin: 'ignore', all: true })
  if (result.code === 'ENOENT' || result.code === 'EACCES') return { found: false, version: null, detail: null }
  const said = (result.all ?? '').trim()
  const version = /\d{1,9}\.\d{1,9}(?:\.\d{1,9})?/.exec(said)?.[0] ?? null
  return {
    found: result.exitCode === 0,
    version: result.exitCode === 0 ? version : null,
    detail: result.exitCode === 0 ? null : said.split('\n')[0]?.slice(0, 200) || result.shortMessage || null,
  }
}
