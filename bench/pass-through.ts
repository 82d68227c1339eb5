import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { percentile, report } from './support/report.ts'

/**
 * The proxy of the router beside direct calls, interleaved in one run: first byte of an answer to a body of 54 KB, and streams of
 * 20 events at once.
 *
 *     npm run bench -- pass-through [--small]
 */
const isSmall = process.argv.includes('--small')
const [CALLS, STREAMS] = isSmall ? [20, 20] : [200, 100]
const BODY = Buffer.alloc(54 * 1024, 'x')

/** The API, in a thread of its own: it answers with 20 events. */
const API = `
const http = require('http')
const { parentPort } = require('worker_threads')
const event = 'event: content_block_delta\\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"words"}}\\n\\n'
http.createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let sent = 0
    const next = () => (++sent > 20 ? response.end() : (response.write(event), setTimeout(next, 5)))
    next()
  })
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })
`
const api = new Worker(API, { eval: true })
const [apiPort] = (await once(api, 'message')) as [number]
const proxy = spawn(process.execPath, [path.join(import.meta.dirname, 'support', 'pass-through-program.ts'), String(apiPort)], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = (await once(createInterface({ input: proxy.stdout }), 'line')) as [string]
const passPort = Number(line)
const memoryKb = (): number => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${proxy.pid}/status`, 'utf8'))?.[1])
const agent = new http.Agent({ keepAlive: true, timeout: 3000 }) // a kept connection is left before the other side closes it

/** Milliseconds to the first byte, and events of the whole answer. */
async function call(port: number, prefix: string): Promise<{ ms: number; bytes: number }> {
  const startedAt = performance.now()
  const request = http.request({ port, host: '127.0.0.1', path: `${prefix}/v1/messages`, method: 'POST', agent }).end(BODY)
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  let ms: number | null = null
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    ms ??= performance.now() - startedAt
    bytes += chunk.length
  })
  await finished(answer)
  return { ms: ms ?? Number.NaN, bytes }
}
const direct = () => call(apiPort, '')
const through = () => call(passPort, '/token')

for (let at = 0; at < 20; at += 1) await Promise.all([direct(), through()])
const [one, other]: [number[], number[]] = [[], []]
for (let at = 0; at < CALLS; at += 1) {
  one.push((await direct()).ms)
  other.push((await through()).ms)
}
const before = memoryKb()
const streams = await Promise.all(Array.from({ length: STREAMS }, through))
const whole = new Set(streams.map(({ bytes }) => bytes)).size === 1

const added = (part: number) => percentile(other, part) - percentile(one, part)
const ms = (value: number) => `${value.toFixed(2)} ms`
const grownKb = (memoryKb() - before) / STREAMS
report(
  'pass-through',
  [
    { what: 'first byte, direct, p50', figure: ms(percentile(one, 0.5)), limit: '', met: null },
    { what: 'first byte, added by the proxy, p50', figure: ms(added(0.5)), limit: '1 ms', met: added(0.5) <= 1 },
    { what: 'first byte, added by the proxy, p99', figure: ms(added(0.99)), limit: '5 ms', met: added(0.99) <= 5 },
    { what: `${STREAMS} streams at once`, figure: whole ? 'all whole' : 'some cut', limit: 'all whole', met: whole },
    { what: 'memory grown, a stream', figure: `${grownKb.toFixed(0)} KB`, limit: '', met: null },
  ],
  { direct: one, through: other, grownKb },
)
agent.destroy()
proxy.kill()
await api.terminate()
