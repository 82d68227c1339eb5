import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { residentMemory, runTool, serveModel, type ToolCall } from './index.ts'

let folder: string
beforeEach(() => (folder = newFolder()))

/** A call that runs this Node script instead of a tool; `process.argv` ends with the config file. */
function call(script: string, signal = new AbortController().signal): ToolCall {
  const program = path.join(folder, 'python')
  fs.writeFileSync(path.join(folder, 'tool.cjs'), `const printEvent = (event) => console.log(JSON.stringify(event));\n${script}`)
  fs.writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${path.join(folder, 'tool.cjs')}" "$@"\n`, { mode: 0o700 })
  const config = { command: 'merge' as const, model: '/m', adapter: null, output: '/o' }
  return { interpreter: { program, env: { PATH: process.env['PATH'] ?? '' } }, config, folder, signal }
}
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z'
  } catch {
    return false
  }
}

test('reports progress and facts; the config file is private and no other variable is inherited', async () => {
  const script = `
    const fs = require('node:fs'); const file = process.argv.at(-1)
    printEvent({ type: 'progress', phase: 'merge', done: 1, total: 2, unit: 'steps' })
    printEvent({ type: 'done', facts: { config: fs.readFileSync(file, 'utf8'), mode: fs.statSync(file).mode & 0o777, args: process.argv.slice(2, 5).join(' '), userHome: process.env.HOME ?? null } })
    process.exit()`
  const progressEvents: unknown[] = []
  const facts = await runTool(call(script), (progress) => progressEvents.push(progress))
  expect(progressEvents).toEqual([{ type: 'progress', phase: 'merge', done: 1, total: 2, unit: 'steps' }])
  expect(facts).toMatchObject({ mode: 0o600, args: '-m bashgym_trainers merge', userHome: null })
  expect(JSON.parse(String(facts['config']))).toEqual({ command: 'merge', model: '/m', adapter: null, output: '/o' })
})

test('ends the descendants of a tool that is killed, and the call', async () => {
  const pidFile = path.join(folder, 'child.pid')
  const script = `
    const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' })
    require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid))
    process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1e6)`
  await expect(runTool(call(script), () => undefined)).rejects.toThrow(/SIGKILL/)
  const child = Number(fs.readFileSync(pidFile, 'utf8'))
  await expect.poll(() => isAlive(child)).toBe(false) // a killed child is listed until init has reaped it
})

test('the error is the failure message of a tool, or the end of its log', async () => {
  const failing = (code: string) => call(`printEvent({ type: 'failed', code: '${code}', message: 'no converter' }); process.exit(1)`)
  await expect(runTool(failing('converter_missing'), () => undefined)).rejects.toMatchObject({
    code: 'export_unavailable',
    message: 'no converter',
    details: { code: 'converter_missing' },
  })
  await expect(runTool(failing('disk_full'), () => undefined)).rejects.toMatchObject({ code: 'disk_full' })
  await expect(runTool(call(`console.error('Traceback: boom'); process.exit(1)`), () => undefined)).rejects.toThrow(
    'The tool failed: Traceback: boom',
  )
  await expect(runTool(call(`process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1e6)`), () => undefined)).rejects.toThrow(
    /SIGKILL/,
  )
  await expect(runTool(call(`printEvent({ type: 'news' }); setInterval(() => {}, 1e6)`), () => undefined)).rejects.toThrow(
    /printed an unknown event/,
  )
  // Last, because it deletes the folder.
  await expect(
    runTool(call(`require('node:fs').rmSync(process.cwd(), { recursive: true }); process.exit(4)`), () => undefined),
  ).rejects.toThrow('The tool failed: it ended with 4')
})

test('a cancellation ends the tool and its descendants', async () => {
  const cancellation = new AbortController()
  const script = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
    printEvent({ type: 'progress', phase: String(process.pid), done: child.pid, total: null, unit: 'pids' })
    setInterval(() => {}, 1e6)`
  const pids: number[] = []
  const running = runTool(call(script, cancellation.signal), ({ phase, done }) => {
    pids.push(Number(phase), done)
    cancellation.abort(new Error('cancelled'))
  })
  await expect(running).rejects.toThrow('cancelled')
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false])
  await expect(runTool(call(script, cancellation.signal), () => undefined)).rejects.toThrow('cancelled')
})

test('a server reports its port and its end, and can be stopped', async () => {
  const script = `printEvent({ type: 'ready', port: 1234, loadMs: 5, gpuLayers: 0, gpu: null, marks: [] }); setInterval(() => {}, 1e6)`
  const server = await serveModel(call(script))
  expect(server).toMatchObject({ port: 1234, loadMs: 5, gpuLayers: 0, gpu: null, marks: [] })
  expect(residentMemory(server.pid)).toBeGreaterThan(1e6)
  await server.stop()
  expect(isAlive(server.pid)).toBe(false)
  expect(residentMemory(server.pid)).toBeNull()
  const dying = await serveModel(
    call(
      `printEvent({ type: 'ready', port: 1, loadMs: 5, gpuLayers: 0, gpu: null, marks: [] }); setTimeout(() => { console.error('out of memory'); process.exit(3) }, 1)`,
    ),
  )
  expect(await dying.ended).toBe('out of memory')
  await expect(
    serveModel(call(`printEvent({ type: 'failed', code: 'model_invalid', message: 'no GGUF' }); process.exit(1)`)),
  ).rejects.toThrow('no GGUF')
})
