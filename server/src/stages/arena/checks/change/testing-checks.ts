import path from 'node:path'
import { createGit } from '#server/adapters/git/index.ts'
import { findProgram } from '#server/adapters/tools/find-program.ts'
import { childEnv } from '#server/adapters/python/index.ts'
import { pythonPrefix } from '#server/adapters/python/prefix.ts'
import { openCore } from '#server/testing/core.ts'
import { openSandboxes } from '../../sandboxes/testing-sandboxes.ts'
import { createCheckResults } from '../results.ts'
import { createChecks } from '../service.ts'
import { createToolchains } from '../toolchains.ts'

/** For tests: checks with sandboxes of their own below `root`. */
export function openChecks(root: string, env: Record<string, string | undefined>) {
  const core = openCore({ dataDir: path.join(root, 'home'), keep: true, env: { HOME: root, PATH: env['PATH'] ?? '' } })
  const { paths, config } = core
  const sandboxes = openSandboxes(core)
  const checks = createChecks({
    sandboxes,
    toolchains: createToolchains({
      find: (name) => findProgram(name, config.path),
      pythonPrefix: (python) => pythonPrefix(python, childEnv(config)),
    }),
    git: createGit(config),
    changes: async () => null,
    folder: paths.restored,
    results: createCheckResults(core),
    onResult: async () => {},
  })
  return {
    core,
    checks,
    close: async () => {
      await sandboxes.close()
      await core.close()
    },
  }
}
