export { createLocalEngine } from './local.ts'
export { createRayEngine } from './ray.ts'
export type { ControlAction, Engine, EngineExit, EngineHandle, EngineJob } from './types.ts'
