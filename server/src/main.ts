import { relaunch } from './launch.ts'
import { keepCompiledCode } from './workers/code-cache.ts'
import { requireNode24 } from './node-version.ts'

requireNode24()
relaunch()
keepCompiledCode()
await import('./headless.ts')
