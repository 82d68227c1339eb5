export { createLocalEngine } from './local.ts'
export type { ControlAction, Engine, EngineExit, EngineHandle, EngineJob } from './types.ts'
