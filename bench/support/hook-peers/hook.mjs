#!/usr/bin/env node
// What a hook written for Node would do for the same result: the peer that bench/hook.ts measures against.
import fs from 'node:fs'
import path from 'node:path'

process.umask(0o077)
const name = `${process.pid}.${process.env.CLAUDE_PID ?? 0}`
fs.appendFileSync(path.join(process.env.BASHGYM_HOME ?? '', 'spool', name), fs.readFileSync(0))
