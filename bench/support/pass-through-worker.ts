// The proxy of the router, in a thread of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { openPassThrough } from '#server/adapters/llm-proxy/index.ts'

const upstream = () => new URL(`http://127.0.0.1:${workerData as number}`)
const { port } = await openPassThrough({ port: 0, token: 'token', upstream, onPassed: () => undefined })
parentPort!.postMessage(port)
parentPort!.on('message', () => parentPort!.postMessage(process.memoryUsage().heapUsed))
