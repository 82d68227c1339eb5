#!/usr/bin/env node
// The same hook in Node, as a baseline for bench/hook.ts.
import fs from 'node:fs'
import path from 'node:path'

process.umask(0o077)
const name = `${process.pid}.${process.env.CLAUDE_PID ?? 0}`
fs.appendFileSync(path.join(process.env.BASHGYM_HOME ?? '', 'spool', name), fs.readFileSync(0))
