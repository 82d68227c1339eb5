#!/usr/bin/env node
import { keepCompiledCode } from '#server/workers/code-cache.ts'
import { requireNode24 } from '#server/node-version.ts'

requireNode24()
keepCompiledCode()
await import('./entry.ts')
