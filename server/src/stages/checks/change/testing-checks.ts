import fs from 'node:fs'
import path from 'node:path'
import { env } from 'node:process'
import { afterAll } from 'vitest'
import type { CheckReport } from '#contracts/entities/check.ts'
import { createGit } from '#server/adapters/git/index.ts'
import { findProgram } from '#server/adapters/tools/find-program.ts'
import { readableTree } from '#server/adapters/tools/readable-tree.ts'
import { childEnv } from '#server/adapters/python/index.ts'
import { outputOf } from '#server/process/output-of.ts'
import { openCore } from '#server/testing/core.ts'
import { useFolder } from '#server/testing/folders.ts'
import { openSandboxes } from '#server/stages/sandboxes/testing-sandboxes.ts'

import { createCheckResults } from '../results.ts'
import { createChecks } from '../service.ts'
import { createToolchains } from '../toolchains.ts'

export type Files = Record<string, string>

/** Checks of changes for the tests of a block, with their own sandboxes. */
export function useChecks() {
  const root = useFolder()
  const core = openCore({ dataDir: path.join(root, 'home'), keep: true, env: { HOME: root, PATH: env['PATH'] ?? '' } })
  const { paths, config } = core
  const sandboxes = openSandboxes(core)
  const checks = createChecks({
    sandboxes,
    toolchains: createToolchains({
      find: (name, foreign) => findProgram(name, config.path, foreign),
      outputOf: (program, args, foreign) => outputOf(program, args, { env: { ...childEnv(config), GOTOOLCHAIN: 'local' }, foreign }),
      userHome: config.userHome,
      copyOf: readableTree,
    }),
    git: createGit(config),
    changes: async () => null,
    folder: paths.restored,
    results: createCheckResults(core),
    onResult: async () => {},
  })
  afterAll(async () => {
    await sandboxes.close()
    await core.close()
  })
  const folder = (files: Files): string => {
    const place = fs.mkdtempSync(path.join(root, 'p-'))
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(place, name)), { recursive: true })
      fs.writeFileSync(path.join(place, name), text, { mode: name.includes('.bin/') ? 0o755 : 0o644 })
    }
    return place
  }
  const check = (start: string, end: Files, command?: string): Promise<CheckReport> =>
    checks.runOfChange(
      { start, end: folder(end), timeoutSec: 60, ...(command !== undefined && { command }) },
      { id: 'job', signal: new AbortController().signal, progress: () => {} },
    )
  return { folder, check }
}
