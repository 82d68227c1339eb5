import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { captureRoutes } from './routes.ts'
import { type CaptureDeps, createCaptureService } from './service.ts'

/** Capture: hook events and transcripts in, an archive of raw bytes out. */
export function createCapture(core: Core, deps: CaptureDeps) {
  const service = createCaptureService(core, deps)
  const stage: Stage = {
    name: 'capture',
    routes: captureRoutes(core, service),
    forget: null, // its own rows go with the archive, in the same transaction
    start: (options) => service.start(options),
    stop: () => service.close(),
    settings: [{ select: (settings) => settings, onChange: () => service.settingsChanged() }],
  }
  return { ...service, stage }
}

export { createHooks, type HookInstallerOptions, hooksOnFile } from './hooks/index.ts'
export { permissionRules, withAllowed, withoutAllowed } from './hooks/allow-rules.ts'
export { JsonTextError } from './hooks/json-text.ts'
export { createGuardHook } from './hooks/guard-hook.ts'
export { createClientEnv } from './hooks/client-env.ts'
export { isAtLeast } from './hooks/client-events.ts'
export { managedFoldersOf, managedVariables, offSwitches } from './hooks/off-switches.ts'

export type { ClientState } from './clients.ts'
export type { Capture, CaptureDeps, StartOptions } from './service.ts'
export { chunks, currentSources, readManifest } from './archive/reader.ts'
export { isExcluded } from './exclusions.ts'
export { traceId } from './identity.ts'
export type { ArchiveChange, ArchivedSource, DerivedCounts, Follower, FollowerMaker, Frame, SessionSignal, SourceKind } from './types.ts'
export { discover } from './discover.ts'
export { openSource } from './archive/source-file.ts'
export { isTrajectory, trajectoryId } from './atif.ts'
export { decompressFile } from './sniff.ts'
