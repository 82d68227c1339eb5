import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { percentile, report } from './support/report.ts'

/**
 * What our mod adds to a step: its program beside a direct call, beside an empty program of Node, and beside the least program
 * of Node that makes one call; interleaved in one run.
 *
 *     npm run bench -- mod-step [--small]
 */
const ROUNDS = process.argv.includes('--small') ? 10 : 100
const LIMIT_MS = 25
const BODY = Buffer.from(JSON.stringify({ model: 'gym-x', messages: [{ role: 'user', content: 'words '.repeat(3000) }] }))
const ANSWER = JSON.stringify({ text: 'words '.repeat(100), calls: [], usage: {}, failed: false })

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-'))
const file = (name: string, content: string): string => {
  fs.writeFileSync(path.join(folder, name), content, { mode: 0o600 })
  return path.join(folder, name)
}
const token = randomBytes(32).toString('base64url')
/** The app, in a thread of its own: it proves that it knows the token, and answers at once. */
const APP = `
const http = require('http')
const { createHmac } = require('crypto')
const { parentPort, workerData: { token, answer } } = require('worker_threads')
http.createServer((request, response) => {
  const challenge = request.headers['bashgym-challenge']
  if (challenge) response.setHeader('bashgym-proof', createHmac('sha256', token).update('bashgym proof 1\\n' + request.headers.host + '\\n' + challenge).digest('base64url'))
  request.resume().once('end', () => response.end(request.method === 'POST' ? answer : '{}'))
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })
`
const app = new Worker(APP, { eval: true, workerData: { token, answer: ANSWER } })
const [port] = (await once(app, 'message')) as [number]
const url = `http://127.0.0.1:${port}`
const ONE_CALL = `process.stdin.pipe(require('node:http').request('${url}/api/router/steps', { method: 'POST' }, (response) => response.pipe(process.stdout)))`
const serverFile = file('server.json', JSON.stringify({ url }))
const tokenFile = file('token', `${token}\n`)

const agent = new http.Agent({ keepAlive: true, timeout: 3000 }) // a kept connection is left before the other side closes it
async function direct(): Promise<string> {
  const request = http.request(`${url}/api/router/steps`, { method: 'POST', agent }).end(BODY)
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  return text(answer)
}
const runs =
  (...args: string[]) =>
  async (): Promise<string> => {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.on('error', () => undefined) // an empty program does not read
    child.stdin.end(BODY)
    const [output] = await Promise.all([buffer(child.stdout), once(child, 'close')])
    return output.toString('utf8')
  }
const program = path.join(import.meta.dirname, '..', 'dist', 'server', 'mod', 'program.cjs')
const SUBJECTS = {
  direct,
  empty: runs(file('empty.cjs', `process.stdout.write(${JSON.stringify(ANSWER)})`)),
  oneCall: runs(file('one-call.cjs', ONE_CALL)),
  program: runs(program, '/api/router/steps', serverFile, tokenFile),
}
type Name = keyof typeof SUBJECTS
const names = Object.keys(SUBJECTS) as Name[]
const times: Record<Name, number[]> = { direct: [], empty: [], oneCall: [], program: [] }
for (let round = -3; round < ROUNDS; round += 1) {
  for (const name of names) {
    const started = performance.now()
    const answer = await SUBJECTS[name]()
    if (answer.trim() !== ANSWER) throw new Error(`${name} answered ${answer}`)
    if (round >= 0) times[name].push(performance.now() - started)
  }
}
agent.destroy()
await app.terminate()
fs.rmSync(folder, { recursive: true, force: true })

const of = (name: Name, share = 0.5) => percentile(times[name], share)
const ms = (value: number) => `${value.toFixed(1)} ms`
const added = of('program') - of('direct')
report(
  'mod-step',
  [
    { what: 'direct call, p50', figure: ms(of('direct')), limit: '', met: null },
    { what: 'empty program of Node, p50', figure: ms(of('empty')), limit: '', met: null },
    { what: 'program of Node with one call, p50', figure: ms(of('oneCall')), limit: '', met: null },
    { what: 'program of our mod, p50', figure: ms(of('program')), limit: '', met: null },
    { what: 'program of our mod, p95', figure: ms(of('program', 0.95)), limit: '', met: null },
    { what: 'added to a direct call, p50', figure: ms(added), limit: `${LIMIT_MS} ms`, met: added <= LIMIT_MS },
    { what: 'times an empty program', figure: (of('program') / of('empty')).toFixed(2), limit: '', met: null },
    { what: 'times a program with one call', figure: (of('program') / of('oneCall')).toFixed(2), limit: '', met: null },
  ],
  times,
)
