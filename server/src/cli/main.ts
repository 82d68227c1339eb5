#!/usr/bin/env node
import { requireNode24 } from '#server/node-version.ts'

requireNode24()
await import('./entry.ts')
