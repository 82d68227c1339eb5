import { createBackends } from '#server/adapters/sandbox/backends.ts'
import type { Core } from '#server/core.ts'
import { createSandboxes, type SandboxDeps } from './service.ts'

const ALLOWED = { verdict: 'allow', rule: null, span: null, reason: null, alternatives: [] } as const

/** For tests: sandboxes of a core, without guardrails unless they are given. */
export function openSandboxes(
  core: Core,
  evaluateCommand: SandboxDeps['evaluateCommand'] = async () => ({ ...ALLOWED, alternatives: [] }),
) {
  const { dataDir, dockerHost } = core.config
  return createSandboxes(core, {
    backends: createBackends({ records: core.paths.boxes, snapshots: core.paths.snapshots, dataDir, dockerHost }),
    limits: () => ({ running: 2, queue: 10 }),
    snapshotLimits: () => ({ most: 1, mostBytes: 1 }),
    requireRules: () => {},
    isNeeded: () => false,
    evaluateCommand,
  })
}
