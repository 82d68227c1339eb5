import { requireNode24 } from './node-version.ts'

requireNode24()
await import('./headless.ts')
